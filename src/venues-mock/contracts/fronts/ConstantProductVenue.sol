// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Faulty} from "../base/Faulty.sol";
import {Front} from "../base/Front.sol";
import {IERC20} from "../interfaces/IERC20.sol";
import {IUniswapV2Factory, IUniswapV2Pair} from "../interfaces/IUniswapV2.sol";

/// @title venue_a: Uniswap V2 pairs, directly or over one token between
/// @notice `route` is abi.encode(address[] path): `tokenIn`, at most one token between, `tokenOut`. Trades WETH, never
/// the native coin. The inbox is the first pair. What a pair is paid for is what arrived in it, so tokens that take a
/// fee on transfer work.
contract ConstantProductVenue is Front {
    error BadPath(address[] path);
    error NoPair(address tokenA, address tokenB);
    error NothingIn();

    IUniswapV2Factory public immutable factory;

    /// @param factory_ The Uniswap V2 factory.
    /// @param operator_ Who may switch faults.
    constructor(address factory_, address operator_) Faulty(operator_) {
        factory = IUniswapV2Factory(factory_);
    }

    function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes calldata route)
        external
        view
        faultyQuote
        returns (uint256 amountOut)
    {
        address[] memory path = _path(tokenIn, tokenOut, route);
        amountOut = amountIn;
        for (uint256 i = 1; i < path.length; i++) {
            address pair = _pair(path[i - 1], path[i]);
            (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, path[i - 1], path[i]);
            amountOut = _amountOut(amountOut, reserveIn, reserveOut);
        }
    }

    function inbox(address tokenIn, address tokenOut, bytes calldata route) external view returns (address) {
        address[] memory path = _path(tokenIn, tokenOut, route);
        return _pair(path[0], path[1]);
    }

    function swapExactIn(address tokenIn, address tokenOut, uint256, address recipient, bytes calldata route)
        external
        payable
        faultySwap
        returns (uint256 amountOut)
    {
        _demandValue(0);
        address[] memory path = _path(tokenIn, tokenOut, route);
        address pair = _pair(path[0], path[1]);
        for (uint256 i = 1; i < path.length; i++) {
            bool last = i == path.length - 1;
            address next = last ? _payee(recipient) : _pair(path[i], path[i + 1]);
            amountOut = _swap(pair, path[i - 1], path[i], next);
            pair = next;
        }
        return _forward(tokenOut, recipient, amountOut);
    }

    /// @dev Swaps what lies in the pair beyond its reserves.
    function _swap(address pair, address tokenIn, address tokenOut, address to) private returns (uint256 amountOut) {
        (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, tokenIn, tokenOut);
        uint256 arrived = IERC20(tokenIn).balanceOf(pair) - reserveIn;
        amountOut = _amountOut(arrived, reserveIn, reserveOut);
        (uint256 amount0Out, uint256 amount1Out) = tokenIn < tokenOut ? (uint256(0), amountOut) : (amountOut, 0);
        IUniswapV2Pair(pair).swap(amount0Out, amount1Out, to, "");
    }

    /// @dev The constant product after the pair's fee of 30 bps, rounded down as the pair demands.
    function _amountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) private pure returns (uint256) {
        if (amountIn == 0) revert NothingIn();
        if (reserveIn == 0 || reserveOut == 0) revert NoLiquidity();
        uint256 taken = amountIn * 997;
        return taken * reserveOut / (reserveIn * 1000 + taken);
    }

    function _reserves(address pair, address tokenIn, address tokenOut) private view returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1,) = IUniswapV2Pair(pair).getReserves();
        return tokenIn < tokenOut ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _path(address tokenIn, address tokenOut, bytes calldata route)
        private
        pure
        returns (address[] memory path)
    {
        path = abi.decode(route, (address[]));
        bool fits = path.length == 2 || path.length == 3;
        if (!fits || path[0] != tokenIn || path[path.length - 1] != tokenOut) revert BadPath(path);
    }

    function _pair(address tokenA, address tokenB) private view returns (address pair) {
        pair = factory.getPair(tokenA, tokenB);
        if (pair == address(0)) revert NoPair(tokenA, tokenB);
    }
}
