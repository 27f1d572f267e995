// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Faulty} from "../base/Faulty.sol";
import {Front} from "../base/Front.sol";
import {SafeTransfer} from "../base/SafeTransfer.sol";
import {SqrtPriceLimits} from "../base/SqrtPriceLimits.sol";
import {IPoolManager, IUnlockCallback, IV4Quoter, PoolKey} from "../interfaces/IUniswapV4.sol";

/// @title venue_e: pools inside the Uniswap V4 PoolManager
/// @notice `route` is abi.encode(uint24 fee, int24 tickSpacing); pools have no hooks. Trades the native coin, never
/// WETH: native input comes as value, an ERC-20 lies in the inbox, which is this front.
contract SingletonVenue is Front, IUnlockCallback {
    error NotPoolManager(address caller);

    IPoolManager public immutable poolManager;
    IV4Quoter public immutable quoter;

    struct Order {
        PoolKey key;
        bool zeroForOne;
        uint256 amountIn;
        address payee;
    }

    /// @param poolManager_ The Uniswap V4 PoolManager.
    /// @param quoter_ Uniswap's V4Quoter over the same manager.
    /// @param operator_ Who may switch faults.
    constructor(address poolManager_, address quoter_, address operator_) Faulty(operator_) {
        poolManager = IPoolManager(poolManager_);
        quoter = IV4Quoter(quoter_);
    }

    /// @dev Under MoveOnSwap the manager pays native coin to this front first.
    receive() external payable {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
    }

    function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes calldata route)
        external
        faultyQuote
        returns (uint256 amountOut)
    {
        // The quoter casts to int128: a greater amount would turn into an exact output.
        if (amountIn > uint128(type(int128).max)) revert AmountTooLarge(amountIn);
        (PoolKey memory key, bool zeroForOne) = _key(tokenIn, tokenOut, route);
        (amountOut,) = quoter.quoteExactInputSingle(
            IV4Quoter.QuoteExactSingleParams(key, zeroForOne, uint128(amountIn), "")
        );
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
        _demandValue(tokenIn == address(0) ? amountIn : 0);
        if (amountIn > uint128(type(int128).max)) revert AmountTooLarge(amountIn);
        (PoolKey memory key, bool zeroForOne) = _key(tokenIn, tokenOut, route);
        Order memory order = Order(key, zeroForOne, amountIn, _payee(recipient));
        amountOut = abi.decode(poolManager.unlock(abi.encode(order)), (uint256));
        return _forward(tokenOut, recipient, amountOut);
    }

    /// @inheritdoc IUnlockCallback
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        Order memory order = abi.decode(data, (Order));
        (address tokenIn, address tokenOut) = order.zeroForOne
            ? (order.key.currency0, order.key.currency1)
            : (order.key.currency1, order.key.currency0);
        uint256 amountOut = _swap(order);
        _settle(tokenIn, order.amountIn);
        poolManager.take(tokenOut, order.payee, amountOut);
        return abi.encode(amountOut);
    }

    function _swap(Order memory order) private returns (uint256 amountOut) {
        int256 delta = poolManager.swap(
            order.key,
            IPoolManager.SwapParams({
                zeroForOne: order.zeroForOne,
                // Negative: the input is what is exact.
                amountSpecified: -int256(order.amountIn),
                sqrtPriceLimitX96: SqrtPriceLimits.furthest(order.zeroForOne)
            }),
            ""
        );
        (int128 delta0, int128 delta1) = (int128(delta >> 128), int128(delta));
        (int128 deltaIn, int128 deltaOut) = order.zeroForOne ? (delta0, delta1) : (delta1, delta0);
        uint256 taken = uint256(-int256(deltaIn));
        if (taken != order.amountIn) revert PoolRanDry(taken, order.amountIn);
        return uint256(int256(deltaOut));
    }

    /// @dev The manager counts a token by what it gained since `sync`.
    function _settle(address currency, uint256 amount) private {
        if (currency == address(0)) {
            poolManager.settle{value: amount}();
            return;
        }
        poolManager.sync(currency);
        SafeTransfer.send(currency, address(poolManager), amount);
        poolManager.settle();
    }

    function _key(address tokenIn, address tokenOut, bytes calldata route)
        private
        pure
        returns (PoolKey memory key, bool zeroForOne)
    {
        (uint24 fee, int24 tickSpacing) = abi.decode(route, (uint24, int24));
        zeroForOne = tokenIn < tokenOut;
        (address currency0, address currency1) = zeroForOne ? (tokenIn, tokenOut) : (tokenOut, tokenIn);
        key = PoolKey(currency0, currency1, fee, tickSpacing, address(0));
    }
}
