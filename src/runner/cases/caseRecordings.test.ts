import { expect, test } from 'vitest'
import { RecordedRoom } from './caseRecordings.ts'

test('a folder takes recordings up to its limit of characters and then none, which is reported once', () => {
  const said: string[] = []
  const room = new RecordedRoom((sentence) => said.push(sentence), 10)
  const taken = ['12345', '67890', '1', ''].map((text) => room.takes('recordings', text))
  expect(taken).toEqual([true, true, false, false])
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('more than 10 characters')
  expect(room.takes('another', '1234567890')).toBe(true)
})
