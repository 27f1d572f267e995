// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {SafeTransfer} from "../base/SafeTransfer.sol";
import {IPoolManager, IUnlockCallback, PoolKey} from "../interfaces/IUniswapV4.sol";
import {Range} from "./Range.sol";

interface ILiquidPoolManager is IPoolManager {
    struct ModifyLiquidityParams {
        int24 tickLower;
        int24 tickUpper;
        int256 liquidityDelta;
        bytes32 salt;
    }

    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24 tick);
    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta, int256 fees);
}

/// @title The operator's hand on the Uniswap V4 singleton: opens pools with positions, and moves their price by swaps
/// @notice Uses the tokens and native coins it holds. V4 works inside an unlock callback, so an account without code
/// cannot do this.
contract SingletonOperator is IUnlockCallback {
    address public immutable operator;
    ILiquidPoolManager public immutable poolManager;

    error NotOperator(address caller);
    error NotPoolManager(address caller);

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    constructor(ILiquidPoolManager poolManager_, address operator_) {
        poolManager = poolManager_;
        operator = operator_;
    }

    receive() external payable {}

    /// @notice Creates a pool at a price and fills it.
    function open(
        PoolKey calldata key,
        uint160 sqrtPriceX96,
        Range.Position[] calldata positions
    ) external onlyOperator {
        int24 tick = poolManager.initialize(key, sqrtPriceX96);
        for (uint256 i = 0; i < positions.length; i++) {
            (int24 lower, int24 upper) = Range.ticks(positions[i], tick, key.tickSpacing);
            ILiquidPoolManager.ModifyLiquidityParams memory params =
                ILiquidPoolManager.ModifyLiquidityParams(lower, upper, int128(positions[i].liquidity), 0);
            _unlock(key, abi.encodeCall(ILiquidPoolManager.modifyLiquidity, (key, params, "")));
        }
    }

    /// @notice Swaps with this contract's own money until the pool's price stands at `sqrtPriceX96`: below the present one
    /// when `zeroForOne`, else above.
    function moveTo(PoolKey calldata key, bool zeroForOne, uint160 sqrtPriceX96) external onlyOperator {
        // Negative: as much input as it takes.
        IPoolManager.SwapParams memory params =
            IPoolManager.SwapParams(zeroForOne, -int256(type(int128).max), sqrtPriceX96);
        _unlock(key, abi.encodeCall(IPoolManager.swap, (key, params, "")));
    }

    /// @dev Does what `open` or `moveTo` asked for, then pays and takes what it came to. Both answers begin with the delta.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (address currency0, address currency1, bytes memory action) = abi.decode(data, (address, address, bytes));
        (bool done, bytes memory answer) = address(poolManager).call(action);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        int256 delta = int256(uint256(bytes32(answer)));
        _settle(currency0, int128(delta >> 128));
        _settle(currency1, int128(delta));
        return "";
    }

    function _unlock(PoolKey calldata key, bytes memory action) private {
        poolManager.unlock(abi.encode(key.currency0, key.currency1, action));
    }

    /// @dev A negative delta is owed by this contract, a positive one to it.
    function _settle(address currency, int128 delta) private {
        if (delta > 0) poolManager.take(currency, address(this), uint128(delta));
        if (delta >= 0) return;
        uint256 owed = uint256(-int256(delta));
        if (currency == address(0)) {
            poolManager.settle{value: owed}();
            return;
        }
        poolManager.sync(currency);
        SafeTransfer.send(currency, address(poolManager), owed);
        poolManager.settle();
    }
}
