import { expect, test } from 'vitest'
import { restartingProcess } from './restartingProcess.ts'

/** Processes that end on command, and a log of what was done to them. */
function processes() {
  const log: string[] = []
  let end: (reason: string) => void = () => {}
  const spawn = (again: boolean) => {
    log.push(again ? 'again' : 'first')
    let reason: string | null = null
    const gone = new Promise<string>((resolve) => {
      end = (why) => {
        reason = why
        resolve(why)
      }
    })
    return {
      ended: () => reason,
      gone,
      output: () => 'one\ntwo\nthree\nfour\nfive\nsix\n',
      stop: async () => {},
    }
  }
  const ready = async () => {
    log.push('ready')
  }
  return { log, spawn, ready, end: (reason: string) => end(reason) }
}

test('a process that ended is started again, and waited for', async () => {
  const { log, spawn, ready, end } = processes()
  const restarting = restartingProcess(spawn, ready)
  await restarting.revive()
  expect(log).toEqual(['first'])
  end('exit code 7')
  expect(restarting.ended()).toBe('exit code 7')
  await restarting.revive()
  expect(restarting.ended()).toBeNull()
  expect(log).toEqual(['first', 'again', 'ready'])
})

test('a process is started again up to a limit, and not after it was stopped', async () => {
  const often = processes()
  const twice = restartingProcess(often.spawn, often.ready, 2)
  for (let crash = 0; crash < 4; crash += 1) {
    often.end('exit code 7')
    await twice.revive()
  }
  expect(often.log.filter((each) => each === 'again')).toHaveLength(2)
  expect(twice.ended()).toBe('exit code 7; it was started again 2 times, and no more')
  const once = processes()
  const stopped = restartingProcess(once.spawn, once.ready)
  await stopped.stop()
  once.end('signal SIGTERM')
  await stopped.revive()
  expect(once.log).toEqual(['first'])
})

test('one that is not ready again stays as it is, and the next request reports it', async () => {
  const { spawn, end } = processes()
  const restarting = restartingProcess(spawn, () => Promise.reject(new Error('it never listens')))
  end('exit code 7')
  await restarting.revive()
  expect(restarting.ended()).toBeNull()
})

test('a crash has the reason and the last lines; a process that runs did not crash', async () => {
  const { spawn, ready, end } = processes()
  const restarting = restartingProcess(spawn, ready)
  expect(await restarting.crash()).toBeNull()
  end('exit code 7')
  expect(await restarting.crash()).toEqual({
    reason: 'exit code 7',
    lastLines: 'two\nthree\nfour\nfive\nsix',
  })
})

test('a restart ends the process first, and waits for the new one; not after it was stopped', async () => {
  const { log, spawn, ready } = processes()
  const restarting = restartingProcess(spawn, ready, 0)
  await restarting.restart()
  expect(log).toEqual(['first', 'again', 'ready'])
  await restarting.stop()
  await restarting.restart()
  expect(log).toEqual(['first', 'again', 'ready'])
  const mute = restartingProcess(spawn, () => Promise.reject(new Error('it never listens')))
  await expect(mute.restart()).rejects.toThrow('it never listens')
})
