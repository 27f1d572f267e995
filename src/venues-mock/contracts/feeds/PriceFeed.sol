// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title A USD price in the shape of Chainlink's AggregatorV3
/// @notice `answer` is USD per whole token, times 10^decimals.
contract PriceFeed {
    /// Live: answers. Zero: answers 0, as a feed does that lost its sources. Reverting: answers nothing.
    enum Mode {
        Live,
        Zero,
        Reverting
    }

    uint256 public constant version = 1;

    uint8 public immutable decimals;
    address public immutable owner;
    string public description;
    Mode public mode;

    uint80 private _roundId;
    int256 private _answer;
    uint256 private _updatedAt;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotOwner(address caller);
    error NoAnswer();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor(address owner_, uint8 decimals_, string memory description_, int256 answer_) {
        owner = owner_;
        decimals = decimals_;
        description = description_;
        _setAnswer(answer_);
    }

    /// @notice Starts a new round with `answer`.
    function setAnswer(int256 answer) external onlyOwner {
        _setAnswer(answer);
    }

    /// @notice Switches the feed's fault.
    function setMode(Mode mode_) external onlyOwner {
        mode = mode_;
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        if (mode == Mode.Reverting) revert NoAnswer();
        return (_roundId, mode == Mode.Zero ? int256(0) : _answer, _updatedAt, _updatedAt, _roundId);
    }

    function _setAnswer(int256 answer) private {
        _roundId += 1;
        _answer = answer;
        _updatedAt = block.timestamp;
        emit AnswerUpdated(answer, _roundId, block.timestamp);
    }
}
