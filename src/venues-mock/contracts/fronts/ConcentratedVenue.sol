// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Faulty} from "../base/Faulty.sol";
import {Front} from "../base/Front.sol";
import {SafeTransfer} from "../base/SafeTransfer.sol";
import {SqrtPriceLimits} from "../base/SqrtPriceLimits.sol";
import {
    IQuoterV2,
    IUniswapV3Factory,
    IUniswapV3Pool,
    IUniswapV3SwapCallback
} from "../interfaces/IUniswapV3.sol";

/// @title venue_b: Uniswap V3 pools of several fee tiers
/// @notice `route` is abi.encode(uint24 fee). Trades WETH, never the native coin. The inbox is this front, which pays
/// the pool when it calls back.
contract ConcentratedVenue is Front, IUniswapV3SwapCallback {
    error NoPool(address tokenA, address tokenB, uint24 fee);
    error NotPool(address caller);

    IUniswapV3Factory public immutable factory;
    IQuoterV2 public immutable quoter;

    /// @param factory_ The Uniswap V3 factory.
    /// @param quoter_ Uniswap's QuoterV2 over the same factory.
    /// @param operator_ Who may switch faults.
    constructor(address factory_, address quoter_, address operator_) Faulty(operator_) {
        factory = IUniswapV3Factory(factory_);
        quoter = IQuoterV2(quoter_);
    }

    /// @dev The quoter answers for the part of the input that the pool could take; a price at the end of the range
    /// tells that there was such a part.
    function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes calldata route)
        external
        faultyQuote
        returns (uint256 amountOut)
    {
        uint24 fee = abi.decode(route, (uint24));
        _pool(tokenIn, tokenOut, fee);
        uint160 priceAfter;
        (amountOut, priceAfter,,) = quoter.quoteExactInputSingle(
            IQuoterV2.QuoteExactInputSingleParams(tokenIn, tokenOut, amountIn, fee, 0)
        );
        if (priceAfter == SqrtPriceLimits.furthest(tokenIn < tokenOut)) revert NoLiquidity();
    }

    function inbox(address, address, bytes calldata) external view returns (address) {
        return address(this);
    }

    function swapExactIn(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        address recipient,
        bytes calldata route
    ) external payable faultySwap returns (uint256 amountOut) {
        _demandValue(0);
        uint24 fee = abi.decode(route, (uint24));
        amountOut = _swap(tokenIn, tokenOut, fee, amountIn, _payee(recipient));
        return _forward(tokenOut, recipient, amountOut);
    }

    /// @inheritdoc IUniswapV3SwapCallback
    function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        (address tokenIn, address tokenOut, uint24 fee) = abi.decode(data, (address, address, uint24));
        if (msg.sender != _pool(tokenIn, tokenOut, fee)) revert NotPool(msg.sender);
        SafeTransfer.send(tokenIn, msg.sender, uint256(tokenIn < tokenOut ? amount0Delta : amount1Delta));
    }

    function _swap(address tokenIn, address tokenOut, uint24 fee, uint256 amountIn, address payee)
        private
        returns (uint256 amountOut)
    {
        if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);
        bool zeroForOne = tokenIn < tokenOut;
        (int256 amount0, int256 amount1) = IUniswapV3Pool(_pool(tokenIn, tokenOut, fee)).swap(
            payee,
            zeroForOne,
            int256(amountIn),
            SqrtPriceLimits.furthest(zeroForOne),
            abi.encode(tokenIn, tokenOut, fee)
        );
        (int256 taken, int256 given) = zeroForOne ? (amount0, amount1) : (amount1, amount0);
        if (uint256(taken) != amountIn) revert PoolRanDry(uint256(taken), amountIn);
        return uint256(-given);
    }

    function _pool(address tokenA, address tokenB, uint24 fee) private view returns (address pool) {
        pool = factory.getPool(tokenA, tokenB, fee);
        if (pool == address(0)) revert NoPool(tokenA, tokenB, fee);
    }
}
