import { expect, test } from 'vitest'
import { askedToWait, explainFailure } from './failures'
import { FOLDER_GONE } from './serverLog'

test.each([
  [FOLDER_GONE, 'The data folder /data is gone: put it back as it was, or set DATA_DIR to another folder'],
  ['initdb: error: could not write: No space left on device', 'The disk that holds /data is full: free some space'],
  ['FATAL:  could not extend file "base/1"', 'The disk that holds /data is full: free some space'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'The data folder /data is in use by another Parley'],
  ['FATAL:  database files are incompatible with server', 'was made by another version of PostgreSQL'],
  ['initdb: error: could not look up effective user ID 7: user does not exist', 'wants an account with a name'],
  [
    'bin/postgres: error while loading shared libraries: libxml2.so.2',
    "PostgreSQL doesn't run on this system (bin/postgres: error while loading shared libraries: libxml2.so.2): set",
  ],
])('a start that fails with %j says what to do', (output, told) => {
  expect(explainFailure(output, '/data').message).toContain(told)
})

test.each([
  ['LOG:  begins\nFATAL:  the first  \nPANIC:  the last one \r\nLOG:  ends', 'the last one'],
  ['LOG:  begins\n  only this  \n', 'only this'],
  ['FATAL:  ', 'it gave no reason'],
  ['', 'it gave no reason'],
])('of the output %j the last reason is told, without what stands around it', (output, reason) => {
  expect(explainFailure(output, '/data').message).toBe(`PostgreSQL did not start: ${reason}`)
})

test('a server that is starting is waited for, one that refuses is not', () => {
  for (const code of ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03'])
    expect(askedToWait(Object.assign(new Error('no'), { code }))).toBe(true)
  expect(askedToWait(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(askedToWait(Object.assign(new Error('password'), { code: '28P01' }))).toBe(false)
})
