// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MockToken} from "./MockToken.sol";

/// @title A token that burns 1 % of every transfer
/// @custom:called-as MockToken
contract TaxedToken is MockToken {
    uint256 public constant TAX_BPS = 100;

    /// @dev The tax is rounded down: a transfer of fewer than 100 base units is free.
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 tax = (amount * TAX_BPS) / 10_000;
        balanceOf[to] -= tax;
        totalSupply -= tax;
        emit Transfer(to, address(0), tax);
    }
}
