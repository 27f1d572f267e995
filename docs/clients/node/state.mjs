import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Opens the state that survives a restart:
 * - `startedAtMs`: time of the first start; the goal's time counts from it.
 * - `transactions`: all signed transactions in nonce order: approvals, fee transfer, swap.
 * - `swap`: null until it is signed; then its hash, and the `buildId` of its build (null: no attribution).
 * - `reports`: number of reports whose response was not final.
 * - `reportAtMs`: time before which no report is sent.
 * - `isDone`: true once the swap is mined and, if attributed, recorded.
 */
export function openState(folder) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'swap.json')
  const fresh = {
    startedAtMs: Date.now(),
    transactions: [],
    swap: null,
    reports: 0,
    reportAtMs: 0,
    isDone: false,
  }
  const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : fresh

  /** Replaces the file atomically: even if the program is killed, the file holds the old state or the new one. */
  function save(changes) {
    Object.assign(state, changes)
    writeFileSync(`${file}.new`, JSON.stringify(state), { flush: true })
    renameSync(`${file}.new`, file)
  }
  save({})
  return { state, save }
}
