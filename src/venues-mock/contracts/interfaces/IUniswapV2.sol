// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The part of the Uniswap V2 factory that venue_a calls
interface IUniswapV2Factory {
    function getPair(address tokenA, address tokenB) external view returns (address pair);
}

/// @title The part of a Uniswap V2 pair that venue_a calls
interface IUniswapV2Pair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}
