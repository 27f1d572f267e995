import { describe, expect, test } from 'vitest'
import { ChainUnavailableError } from '../errors.ts'
import { readQuantity, readSimulation, simulation } from './simulate.ts'

const ok = (result: unknown) => ({ ok: true, result }) as const

test('a simulation is one block on top of the latest, every call with its own gas', () => {
  const calls = [
    { to: '0x01', data: '0x', gas: 255n },
    { from: '0x02', to: '0x03', data: '0xab', valueRaw: 16n, gas: 1n },
  ] as const
  expect(simulation(calls, { holder: '0x02', raw: 16n })).toEqual({
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            calls: [
              { to: '0x01', data: '0x', gas: '0xff' },
              { from: '0x02', to: '0x03', data: '0xab', value: '0x10', gas: '0x1' },
            ],
            stateOverrides: { '0x02': { balance: '0x10' } },
          },
        ],
      },
      'latest',
    ],
  })
})

describe('readSimulation', () => {
  test('tells success, revert and bytes that are none', () => {
    const calls = [
      { status: '0x1', returnData: '0x2a' },
      { status: '0x0', returnData: '0x' },
      { status: '0x1', returnData: 'odd' },
      null,
    ]
    expect(readSimulation(ok([{ calls }]), 4)).toEqual([
      { ok: true, data: '0x2a' },
      { ok: false, data: '0x' },
      { ok: true, data: '0x' },
      { ok: false, data: '0x' },
    ])
  })

  test.each([-38014, -32003])('error %d: a sender has too little', (code) => {
    expect(readSimulation({ ok: false, code, message: '' }, 1)).toBe('unfunded')
  })

  test.each([
    ['no reply', undefined],
    ['another error', { ok: false, code: -32601, message: 'method not found' } as const],
    ['null', ok(null)],
    ['no block', ok([])],
    ['no calls', ok([{}])],
    ['too few calls', ok([{ calls: [] }])],
  ])('%s: the chain cannot be read', (_name, reply) => {
    expect(() => readSimulation(reply, 1)).toThrow(ChainUnavailableError)
  })
})

describe('readQuantity', () => {
  test('reads hex', () => {
    expect(readQuantity(ok('0x3b9aca07'), 'eth_gasPrice')).toBe(1_000_000_007n)
  })

  test.each([
    [undefined],
    [ok(null)],
    [ok('0x')],
    [ok('12')],
    [ok('0xzz')],
    [{ ok: false, code: 1, message: '' } as const],
  ])('%o: the chain cannot be read', (reply) => {
    expect(() => readQuantity(reply, 'eth_gasPrice')).toThrow(ChainUnavailableError)
  })
})
