// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MockToken} from "./MockToken.sol";

/// @title A token whose transfers and approvals return nothing, as the oldest tokens do
/// @dev An override may not drop the return value, so the assembly ends the call with no data.
/// @custom:called-as MockToken
contract MuteToken is MockToken {
    function approve(address spender, uint256 amount) external override returns (bool) {
        _approve(spender, amount);
        _returnNothing();
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        _returnNothing();
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spendAllowance(from, amount);
        _move(from, to, amount);
        _returnNothing();
    }

    function _returnNothing() private pure {
        assembly {
            return(0, 0)
        }
    }
}
