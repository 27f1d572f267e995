// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {SafeTransfer} from "../base/SafeTransfer.sol";
import {DirectVenue} from "./DirectVenue.sol";
import {StableMath} from "./StableMath.sol";

/// @title venue_d: stable swap pools on the Curve invariant, one per pair
/// @notice dy = xp[j] - y - 1, the fee taken off it rounded down, as Curve's get_dy does. The operator owns the pools'
/// balances and can put in or take out any number of base units, which moves an output by one base unit.
contract StableSwapVenue is DirectVenue {
    uint256 public constant RATE_PRECISION = 1e18;
    uint256 public constant FEE_DENOMINATOR = 1e10;
    uint256 public constant A_PRECISION = StableMath.A_PRECISION;

    /// @param balance Base units of each coin that belong to the pool.
    /// @param rate What turns a coin's base units into 1e18-based value: 1e18 × 10^(18 - decimals) × its price.
    /// @param amplification A × A_PRECISION.
    /// @param fee Of the output, over 1e10.
    struct Pool {
        address[2] coin;
        uint256[2] balance;
        uint256[2] rate;
        uint256 amplification;
        uint256 fee;
    }

    Pool[] private _pools;
    /// @dev The pool's index plus one, for both orders of the pair.
    mapping(address coinA => mapping(address coinB => uint256)) private _poolNumber;

    error NoPool(address tokenIn, address tokenOut);
    error PoolExists(address coinA, address coinB);
    error EmptyPool(address tokenIn, address tokenOut);
    error BadPool();

    constructor(address weth_, address operator_) DirectVenue(weth_, operator_) {}

    /// @notice Opens an empty pool.
    function open(
        address[2] calldata coin,
        uint256[2] calldata rate,
        uint256 amplification,
        uint256 fee
    ) external onlyOperator {
        if (coin[0] == coin[1] || amplification < A_PRECISION || fee >= FEE_DENOMINATOR) revert BadPool();
        if (_poolNumber[coin[0]][coin[1]] != 0) revert PoolExists(coin[0], coin[1]);
        uint256[2] memory nothing;
        _pools.push(Pool(coin, nothing, rate, amplification, fee));
        _poolNumber[coin[0]][coin[1]] = _pools.length;
        _poolNumber[coin[1]][coin[0]] = _pools.length;
    }

    /// @notice Puts `amount` of `coin` into the pool that pairs it with `other`: selling `coin` then brings less.
    function donate(address coin, address other, uint256 amount) external onlyOperator {
        (Pool storage found, uint256 i) = _find(coin, other);
        found.balance[i] += amount;
        SafeTransfer.pull(coin, msg.sender, address(this), amount);
    }

    /// @notice Takes `amount` of `coin` out again: selling `coin` then brings more.
    function withdraw(address coin, address other, uint256 amount) external onlyOperator {
        (Pool storage found, uint256 i) = _find(coin, other);
        found.balance[i] -= amount;
        SafeTransfer.send(coin, msg.sender, amount);
    }

    /// @notice The pool of a pair, in its own order of coins.
    function pool(address coinA, address coinB) external view returns (Pool memory) {
        (Pool storage found, ) = _find(coinA, coinB);
        return found;
    }

    function _quote(address tokenIn, address tokenOut, uint256 amountIn) internal view override returns (uint256) {
        (Pool storage found, uint256 i) = _find(tokenIn, tokenOut);
        return _getDy(found, i, amountIn);
    }

    function _trade(
        address tokenIn,
        address tokenOut,
        uint256 amountIn
    ) internal override returns (uint256 amountOut) {
        (Pool storage found, uint256 i) = _find(tokenIn, tokenOut);
        amountOut = _getDy(found, i, amountIn);
        found.balance[i] += amountIn;
        found.balance[1 - i] -= amountOut;
    }

    function _getDy(Pool storage found, uint256 i, uint256 dx) private view returns (uint256) {
        uint256 j = 1 - i;
        uint256 xpIn = (found.balance[i] * found.rate[i]) / RATE_PRECISION;
        uint256 xpOut = (found.balance[j] * found.rate[j]) / RATE_PRECISION;
        if (xpIn == 0 || xpOut == 0) revert EmptyPool(found.coin[i], found.coin[j]);
        uint256 d = StableMath.invariant(xpIn, xpOut, found.amplification);
        uint256 x = xpIn + (dx * found.rate[i]) / RATE_PRECISION;
        uint256 dy = xpOut - StableMath.otherBalance(x, d, found.amplification) - 1;
        uint256 fee = (found.fee * dy) / FEE_DENOMINATOR;
        return ((dy - fee) * RATE_PRECISION) / found.rate[j];
    }

    function _find(address coin, address other) private view returns (Pool storage found, uint256 i) {
        uint256 number = _poolNumber[coin][other];
        if (number == 0) revert NoPool(coin, other);
        found = _pools[number - 1];
        i = found.coin[0] == coin ? 0 : 1;
    }
}
