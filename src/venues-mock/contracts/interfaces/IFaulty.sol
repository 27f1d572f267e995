// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The fault switch that every venue carries
interface IFaulty {
    /// None: honest. NoLiquidity: quoting and swapping revert as an empty pool would. RevertOnQuote, RevertOnSwap: that
    /// step reverts. MoveOnSwap: a swap pays `value` bps less than the pool gave. BurnGasOnQuote, BurnGasOnSwap: that
    /// step uses up all the gas it was given. NonsenseOnQuote: the answer to a quote is malformed or absurd, see `value`
    /// (0: empty, 1: one byte, 2: 2^256-1, 3: zero).
    enum Fault {
        None,
        NoLiquidity,
        RevertOnQuote,
        RevertOnSwap,
        MoveOnSwap,
        BurnGasOnQuote,
        BurnGasOnSwap,
        NonsenseOnQuote
    }

    /// @notice Switches the fault; only the venue's operator may.
    function setFault(Fault fault, uint256 value) external;

    /// @notice The fault in force.
    function fault() external view returns (Fault fault, uint256 value);
}
