// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Faulty} from "../base/Faulty.sol";
import {Front} from "../base/Front.sol";
import {SafeTransfer} from "../base/SafeTransfer.sol";
import {IERC20} from "../interfaces/IERC20.sol";
import {IVenueFront} from "../interfaces/IVenueFront.sol";

/// @title venue_f: a market maker that trades its inventory at the operator's price, whatever the size
/// @notice `route` is empty. Trades WETH, never the native coin. A price is quote base units per base base unit times
/// 1e36, fine enough to move an output by one base unit; it may not be older than `maxAge`.
contract OracleMakerVenue is Front {
    uint256 public constant PRICE_SCALE = 1e36;

    struct Price {
        uint256 price;
        uint256 spreadBps;
        uint256 updatedAt;
    }

    uint256 public maxAge = 1 days;
    mapping(address base => mapping(address quote => Price)) public prices;
    /// @notice What the maker owns of a token; what the contract holds above that is a trade's input.
    mapping(address token => uint256) public inventory;

    error NoPrice(address tokenIn, address tokenOut);
    error StalePrice(uint256 updatedAt, uint256 maxAge);
    error InsufficientInventory(address token, uint256 inventory, uint256 needed);
    error NotFunded(uint256 received, uint256 amountIn);
    error BadPrice();

    constructor(address operator_) Faulty(operator_) {}

    /// @notice Posts a price, now, with the part of the output that the maker keeps. The same pair may not be priced
    /// both ways round.
    function setPrice(address base, address quoteToken, uint256 price, uint256 spreadBps) external onlyOperator {
        bool isPricedOtherWay = prices[quoteToken][base].price != 0;
        if (price == 0 || spreadBps >= BPS || base == quoteToken || isPricedOtherWay) revert BadPrice();
        prices[base][quoteToken] = Price(price, spreadBps, block.timestamp);
    }

    /// @notice How many seconds a price lives.
    function setMaxAge(uint256 maxAge_) external onlyOperator {
        maxAge = maxAge_;
    }

    /// @notice Takes everything that the contract holds of `token` into the inventory.
    function sync(address token) external onlyOperator {
        inventory[token] = IERC20(token).balanceOf(address(this));
    }

    /// @inheritdoc IVenueFront
    function quoteExactIn(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        bytes calldata
    ) external view faultyQuote returns (uint256 amountOut) {
        return _price(tokenIn, tokenOut, amountIn);
    }

    /// @inheritdoc IVenueFront
    function inbox(address, address, bytes calldata) external view returns (address) {
        return address(this);
    }

    /// @inheritdoc IVenueFront
    function swapExactIn(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        address recipient,
        bytes calldata
    ) external payable faultySwap returns (uint256 amountOut) {
        _demandValue(0);
        uint256 received = IERC20(tokenIn).balanceOf(address(this)) - inventory[tokenIn];
        if (received == 0) revert NotFunded(received, amountIn);
        amountOut = _afterMove(_price(tokenIn, tokenOut, received));
        inventory[tokenIn] += received;
        inventory[tokenOut] -= amountOut;
        SafeTransfer.send(tokenOut, recipient, amountOut);
    }

    function _price(address tokenIn, address tokenOut, uint256 amountIn) private view returns (uint256 amountOut) {
        bool isSale = prices[tokenIn][tokenOut].price != 0;
        Price memory posted = isSale ? prices[tokenIn][tokenOut] : prices[tokenOut][tokenIn];
        if (posted.price == 0) revert NoPrice(tokenIn, tokenOut);
        if (block.timestamp > posted.updatedAt + maxAge) revert StalePrice(posted.updatedAt, maxAge);
        uint256 kept = amountIn * (BPS - posted.spreadBps);
        amountOut = isSale
            ? (kept * posted.price) / (PRICE_SCALE * BPS)
            : (kept * PRICE_SCALE) / (posted.price * BPS);
        uint256 held = inventory[tokenOut];
        if (amountOut > held) revert InsufficientInventory(tokenOut, held, amountOut);
    }
}
