// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Book} from "./Book.sol";
import {DirectVenue} from "./DirectVenue.sol";

/// @title venue_c: an on-chain order book that runs dry
/// @notice The operator is the only maker: it writes the levels and sends the tokens behind them. Takers use them up.
/// Prices are quote base units per base base unit times 1e36, fine enough to move an output by one base unit.
contract OrderBookVenue is DirectVenue {
    using Book for Book.Level[];

    struct Market {
        bool isOpen;
        Book.Level[] asks;
        Book.Level[] bids;
    }

    mapping(address base => mapping(address quote => Market)) private _markets;

    error NoMarket(address tokenIn, address tokenOut);
    error LevelsOutOfOrder(uint256 index);
    error EmptyLevel(uint256 index);

    constructor(address weth_, address operator_) DirectVenue(weth_, operator_) {}

    /// @notice Replaces both sides of a market, opening it if need be. The best level comes first: the lowest ask, the
    /// highest bid. The same token may not be priced both ways round: open base/quote or quote/base.
    function setLevels(
        address base,
        address quoteToken,
        Book.Level[] calldata asks,
        Book.Level[] calldata bids
    ) external onlyOperator {
        if (base == quoteToken || _markets[quoteToken][base].isOpen) revert NoMarket(base, quoteToken);
        Market storage market = _markets[base][quoteToken];
        market.isOpen = true;
        _stack(market.asks, asks, true);
        _stack(market.bids, bids, false);
    }

    /// @notice What is left of a market, the best level first.
    function levels(
        address base,
        address quoteToken
    ) external view returns (Book.Level[] memory asks, Book.Level[] memory bids) {
        Market storage market = _markets[base][quoteToken];
        return (_unstack(market.asks), _unstack(market.bids));
    }

    function _quote(address tokenIn, address tokenOut, uint256 amountIn) internal view override returns (uint256) {
        (Book.Fill memory fill, ) = _match(tokenIn, tokenOut, amountIn);
        return fill.out;
    }

    function _trade(address tokenIn, address tokenOut, uint256 amountIn) internal override returns (uint256) {
        (Book.Fill memory fill, Book.Level[] storage side) = _match(tokenIn, tokenOut, amountIn);
        side.take(fill);
        return fill.out;
    }

    function _match(
        address tokenIn,
        address tokenOut,
        uint256 amountIn
    ) private view returns (Book.Fill memory fill, Book.Level[] storage side) {
        if (_markets[tokenIn][tokenOut].isOpen) {
            side = _markets[tokenIn][tokenOut].bids;
            fill = side.sell(amountIn);
        } else if (_markets[tokenOut][tokenIn].isOpen) {
            side = _markets[tokenOut][tokenIn].asks;
            fill = side.buy(amountIn);
        } else {
            revert NoMarket(tokenIn, tokenOut);
        }
    }

    function _stack(Book.Level[] storage stack, Book.Level[] calldata given, bool ascending) private {
        while (stack.length > 0) stack.pop();
        for (uint256 i = given.length; i > 0; i--) {
            Book.Level calldata level = given[i - 1];
            if (level.size == 0 || level.price == 0) revert EmptyLevel(i - 1);
            if (i < given.length) {
                bool inOrder = ascending ? level.price < given[i].price : level.price > given[i].price;
                if (!inOrder) revert LevelsOutOfOrder(i);
            }
            stack.push(level);
        }
    }

    function _unstack(Book.Level[] storage stack) private view returns (Book.Level[] memory given) {
        given = new Book.Level[](stack.length);
        for (uint256 i = 0; i < given.length; i++) given[i] = stack[given.length - 1 - i];
    }
}
