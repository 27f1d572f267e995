// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title A guard in transient storage
/// @notice Transient, because WETH pays with 2,300 gas: enough to read the guard there, not a cold storage slot.
abstract contract NonReentrant {
    error Reentered();

    modifier nonReentrant() {
        if (_entered()) revert Reentered();
        assembly ("memory-safe") {
            tstore(0, 1)
        }
        _;
        assembly ("memory-safe") {
            tstore(0, 0)
        }
    }

    /// @dev Whether a guarded function is running now.
    function _entered() internal view returns (bool entered) {
        assembly ("memory-safe") {
            entered := tload(0)
        }
    }
}
