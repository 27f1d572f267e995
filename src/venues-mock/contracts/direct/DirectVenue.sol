// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Faulty} from "../base/Faulty.sol";
import {SafeTransfer} from "../base/SafeTransfer.sol";
import {IDirectVenue} from "../interfaces/IDirectVenue.sol";
import {IWETH} from "../interfaces/IWETH.sol";

/// @title What the venues that users call directly share: taking the input, wrapping, the minimum, the fault switch
abstract contract DirectVenue is IDirectVenue, Faulty {
    address public immutable weth;

    error WrongValue(uint256 expected, uint256 actual);
    error TooLittleOut(uint256 amountOut, uint256 minimumOut);
    error NotWeth(address sender);

    constructor(address weth_, address operator_) Faulty(operator_) {
        weth = weth_;
    }

    /// @notice Native coins come only from unwrapping.
    receive() external payable {
        if (msg.sender != weth) revert NotWeth(msg.sender);
    }

    /// @inheritdoc IDirectVenue
    function quote(address tokenIn, address tokenOut, uint256 amountIn) external view faultyQuote returns (uint256) {
        return _quote(_wrapped(tokenIn), _wrapped(tokenOut), amountIn);
    }

    /// @inheritdoc IDirectVenue
    function swap(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 minimumOut,
        address recipient
    ) external payable faultySwap returns (uint256 amountOut) {
        _collect(tokenIn, amountIn);
        amountOut = _afterMove(_trade(_wrapped(tokenIn), _wrapped(tokenOut), amountIn));
        if (amountOut < minimumOut) revert TooLittleOut(amountOut, minimumOut);
        _pay(tokenOut, recipient, amountOut);
    }

    /// @dev What the trade would bring. Reverts when the venue does not have it. WETH stands for the native coin.
    function _quote(address tokenIn, address tokenOut, uint256 amountIn) internal view virtual returns (uint256);

    /// @dev Like `_quote`, and books the trade.
    function _trade(address tokenIn, address tokenOut, uint256 amountIn) internal virtual returns (uint256);

    function _collect(address tokenIn, uint256 amountIn) private {
        uint256 expected = tokenIn == address(0) ? amountIn : 0;
        if (msg.value != expected) revert WrongValue(expected, msg.value);
        if (tokenIn == address(0)) IWETH(weth).deposit{value: amountIn}();
        else SafeTransfer.pull(tokenIn, msg.sender, address(this), amountIn);
    }

    function _pay(address tokenOut, address recipient, uint256 amountOut) private {
        if (tokenOut != address(0)) return SafeTransfer.send(tokenOut, recipient, amountOut);
        IWETH(weth).withdraw(amountOut);
        SafeTransfer.sendNative(recipient, amountOut);
    }

    function _wrapped(address token) private view returns (address) {
        return token == address(0) ? weth : token;
    }
}
