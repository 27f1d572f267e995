// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {NonReentrant} from "./base/NonReentrant.sol";
import {SafeTransfer} from "./base/SafeTransfer.sol";
import {IERC20} from "./interfaces/IERC20.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {ISettlement} from "./interfaces/ISettlement.sol";
import {IVenueFront} from "./interfaces/IVenueFront.sol";
import {IWETH} from "./interfaces/IWETH.sol";

/// @title Settlement: takes the fee, feeds a venue, and holds the venue to the minimum
/// @notice Keeps nothing: what comes in for a swap goes out in the same call, or the call reverts.
contract Settlement is ISettlement, NonReentrant {
    error UnknownVenue(address venue);
    error SameToken(address token);
    error NotATwin(address token, address venueToken);
    error WrongValue(uint256 expected, uint256 actual);
    error NothingToSwap(uint256 amountIn, uint256 feeAmount);
    error NoFeeRecipient();
    error AmountTooLarge(uint256 amount);
    error TooLittleReceived(uint256 received, uint256 minimumOut);
    error NotSwapping();

    address private constant NATIVE = address(0);

    address public immutable weth;
    IPermit2 public immutable permit2;

    /// @notice Whether a front may be swapped through.
    mapping(address front => bool known) public knows;

    /// @param weth_ The wrapped native coin.
    /// @param permit2_ Permit2, through which the inputs of orders with `usePermit2` are taken.
    /// @param fronts The venue fronts that orders may name; nothing adds to them later.
    constructor(address weth_, address permit2_, address[] memory fronts) {
        weth = weth_;
        permit2 = IPermit2(permit2_);
        for (uint256 i = 0; i < fronts.length; i++) {
            knows[fronts[i]] = true;
        }
    }

    /// @dev Native coin comes from WETH and from venues, and only in the course of a swap: nobody can strand it here.
    receive() external payable {
        if (!_entered()) revert NotSwapping();
    }

    /// @inheritdoc ISettlement
    function swap(Swap calldata order) external payable nonReentrant returns (uint256 amountOut) {
        _check(order);
        uint256 before = _balanceOf(order.tokenOut, msg.sender);
        _payFee(order);
        _swapRest(order);
        amountOut = _balanceOf(order.tokenOut, msg.sender) - before;
        if (amountOut < order.minimumOut) revert TooLittleReceived(amountOut, order.minimumOut);
    }

    function _check(Swap calldata order) private view {
        if (!knows[order.venue]) revert UnknownVenue(order.venue);
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
        _checkTwin(order.tokenIn, order.venueTokenIn);
        _checkTwin(order.tokenOut, order.venueTokenOut);
        uint256 value = order.tokenIn == NATIVE ? order.amountIn : 0;
        if (msg.value != value) revert WrongValue(value, msg.value);
        if (order.feeAmount >= order.amountIn) revert NothingToSwap(order.amountIn, order.feeAmount);
        if (order.feeAmount > 0 && order.feeRecipient == address(0)) revert NoFeeRecipient();
    }

    function _checkTwin(address token, address venueToken) private view {
        if (token == venueToken) return;
        bool twins = (token == NATIVE && venueToken == weth) || (token == weth && venueToken == NATIVE);
        if (!twins) revert NotATwin(token, venueToken);
    }

    function _payFee(Swap calldata order) private {
        if (order.feeAmount == 0) return;
        if (order.tokenIn == NATIVE) SafeTransfer.sendNative(order.feeRecipient, order.feeAmount);
        else _pull(order, order.feeRecipient, order.feeAmount);
    }

    /// @dev Lets the venue pay the caller at once, except where its output must first be converted here.
    function _swapRest(Swap calldata order) private {
        uint256 value = _feed(order);
        bool converts = order.venueTokenOut != order.tokenOut;
        uint256 before = converts ? _balanceOf(order.venueTokenOut, address(this)) - value : 0;
        IVenueFront(order.venue).swapExactIn{value: value}(
            order.venueTokenIn,
            order.venueTokenOut,
            order.amountIn - order.feeAmount,
            converts ? address(this) : msg.sender,
            order.route
        );
        if (converts) _convertOutput(order.tokenOut, _balanceOf(order.venueTokenOut, address(this)) - before);
    }

    /// @dev Brings the rest of the input to where the venue takes it.
    /// @return value The native coin to send along with the call of the venue.
    function _feed(Swap calldata order) private returns (uint256 value) {
        uint256 rest = order.amountIn - order.feeAmount;
        if (order.venueTokenIn == NATIVE) {
            if (order.tokenIn != NATIVE) {
                _pull(order, address(this), rest);
                IWETH(weth).withdraw(rest);
            }
            return rest;
        }
        address inbox = IVenueFront(order.venue).inbox(order.venueTokenIn, order.venueTokenOut, order.route);
        if (order.tokenIn != NATIVE) {
            _pull(order, inbox, rest);
        } else {
            IWETH(weth).deposit{value: rest}();
            SafeTransfer.send(weth, inbox, rest);
        }
    }

    function _convertOutput(address tokenOut, uint256 amount) private {
        if (tokenOut == NATIVE) {
            IWETH(weth).withdraw(amount);
            SafeTransfer.sendNative(msg.sender, amount);
        } else {
            IWETH(weth).deposit{value: amount}();
            SafeTransfer.send(weth, msg.sender, amount);
        }
    }

    /// @dev Takes the caller's own tokens only, so that nobody can spend another's allowance.
    function _pull(Swap calldata order, address to, uint256 amount) private {
        if (!order.usePermit2) {
            SafeTransfer.pull(order.tokenIn, msg.sender, to, amount);
            return;
        }
        if (amount > type(uint160).max) revert AmountTooLarge(amount);
        permit2.transferFrom(msg.sender, to, uint160(amount), order.tokenIn);
    }

    function _balanceOf(address token, address owner) private view returns (uint256) {
        return token == NATIVE ? owner.balance : IERC20(token).balanceOf(owner);
    }
}
