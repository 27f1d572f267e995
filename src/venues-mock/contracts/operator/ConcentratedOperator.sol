// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {SafeTransfer} from "../base/SafeTransfer.sol";
import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {Range} from "./Range.sol";

interface IFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}

interface IPool is IUniswapV3Pool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256, uint256);
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function tickSpacing() external view returns (int24);
    function token0() external view returns (address);
    function token1() external view returns (address);
}

/// @title The operator's hand on Uniswap V3 pools: opens them with positions, and moves their price by swaps
/// @notice Uses the tokens it holds. V3 takes payment in callbacks, so an account without code cannot do this.
contract ConcentratedOperator {
    address public immutable operator;
    address public immutable factory;

    address private _pool;

    error NotOperator(address caller);
    error NotPool(address caller);

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    constructor(address factory_, address operator_) {
        factory = factory_;
        operator = operator_;
    }

    /// @notice Creates a pool at a price (of token1 in token0, as V3 orders them) and fills it.
    function open(
        address tokenA,
        address tokenB,
        uint24 fee,
        uint160 sqrtPriceX96,
        Range.Position[] calldata positions
    ) external onlyOperator {
        IPool pool = IPool(IFactory(factory).createPool(tokenA, tokenB, fee));
        pool.initialize(sqrtPriceX96);
        (, int24 tick, , , , , ) = pool.slot0();
        int24 spacing = pool.tickSpacing();
        _pool = address(pool);
        for (uint256 i = 0; i < positions.length; i++) {
            (int24 lower, int24 upper) = Range.ticks(positions[i], tick, spacing);
            pool.mint(address(this), lower, upper, positions[i].liquidity, "");
        }
        _pool = address(0);
    }

    /// @notice Swaps in a pool with this contract's own tokens until its price stands at `sqrtPriceX96`: below the present
    /// one when `zeroForOne`, else above.
    function moveTo(address pool, bool zeroForOne, uint160 sqrtPriceX96) external onlyOperator {
        _pool = pool;
        IPool(pool).swap(address(this), zeroForOne, type(int128).max, sqrtPriceX96, "");
        _pool = address(0);
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        _settle(owed0, owed1);
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _settle(owed0 > 0 ? uint256(owed0) : 0, owed1 > 0 ? uint256(owed1) : 0);
    }

    function _settle(uint256 owed0, uint256 owed1) private {
        if (msg.sender != _pool) revert NotPool(msg.sender);
        if (owed0 > 0) SafeTransfer.send(IPool(_pool).token0(), _pool, owed0);
        if (owed1 > 0) SafeTransfer.send(IPool(_pool).token1(), _pool, owed1);
    }
}
