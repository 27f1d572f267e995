// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IFaulty} from "../interfaces/IFaulty.sol";

/// @title The fault switch, with the hooks that a venue puts in front of its two steps
/// @notice A venue marks its outward quote with `faultyQuote`, its outward swap with `faultySwap`, and pays
/// `_afterMove(amountOut)` instead of `amountOut`. Its swap must price by an internal function, never through the
/// outward quote: a fault of one step must not leak into the other.
abstract contract Faulty is IFaulty {
    error NotOperator(address caller);
    error FaultValueTooLarge(uint256 value);
    error NoLiquidity();
    error QuoteRefused();
    error SwapRefused();

    uint256 internal constant BPS = 10_000;

    /// @notice Who may switch faults, and whatever else the venue lets its operator do.
    address public immutable operator;

    struct Switch {
        Fault kind;
        uint248 value;
    }

    Switch private _switch;

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    /// @dev Put it on the outward quote.
    modifier faultyQuote() {
        _failQuote();
        _;
    }

    /// @dev Put it on the outward swap.
    modifier faultySwap() {
        _failSwap();
        _;
    }

    constructor(address operator_) {
        operator = operator_;
    }

    /// @inheritdoc IFaulty
    /// @dev `value` is bps for MoveOnSwap, the kind of nonsense for NonsenseOnQuote, and without meaning elsewhere.
    function setFault(Fault kind, uint256 value) external onlyOperator {
        if (value > (kind == Fault.NonsenseOnQuote ? 3 : BPS)) revert FaultValueTooLarge(value);
        _switch = Switch(kind, uint248(value));
    }

    /// @inheritdoc IFaulty
    function fault() external view returns (Fault, uint256) {
        return (_switch.kind, _switch.value);
    }

    /// @dev Whether the fault in force makes a swap pay less than the pool gave.
    function _moves() internal view returns (bool) {
        return _switch.kind == Fault.MoveOnSwap;
    }

    /// @dev What a swap pays when the pool gave `amountOut`: all of it, or `value` bps less under MoveOnSwap, rounded
    /// down. The venue keeps the rest.
    function _afterMove(uint256 amountOut) internal view returns (uint256) {
        if (!_moves()) return amountOut;
        return amountOut * (BPS - _switch.value) / BPS;
    }

    function _failQuote() private view {
        Fault kind = _switch.kind;
        if (kind == Fault.None) return;
        if (kind == Fault.NoLiquidity) revert NoLiquidity();
        if (kind == Fault.RevertOnQuote) revert QuoteRefused();
        if (kind == Fault.BurnGasOnQuote) _burnGas();
        if (kind == Fault.NonsenseOnQuote) _answerNonsense(_switch.value);
    }

    function _failSwap() private view {
        Fault kind = _switch.kind;
        if (kind == Fault.None) return;
        if (kind == Fault.NoLiquidity) revert NoLiquidity();
        if (kind == Fault.RevertOnSwap) revert SwapRefused();
        if (kind == Fault.BurnGasOnSwap) _burnGas();
    }

    /// @dev `invalid()` takes all the gas of this call at once. A loop would cost the caller the same and the node that
    /// runs it seconds.
    function _burnGas() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }

    /// @dev Ends the whole outward call with an answer that its ABI does not allow, or that no pool could give. Only
    /// assembly can: Solidity always encodes a well-formed answer.
    function _answerNonsense(uint256 value) private pure {
        assembly ("memory-safe") {
            switch value
            case 0 { return(0, 0) }
            case 1 {
                mstore8(0, 0x2a)
                return(0, 1)
            }
            case 2 { mstore(0, not(0)) }
            default { mstore(0, 0) }
            return(0, 32)
        }
    }
}
