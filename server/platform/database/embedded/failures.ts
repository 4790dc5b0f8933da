import { StartError } from '../startError'
import { FOLDER_GONE } from './serverLog'

/** Turns the output of PostgreSQL or initdb before a failure into one line with a remedy. */
export function explainFailure(output: string, folder: string): StartError {
  if (output === FOLDER_GONE) {
    return new StartError(`The data folder ${folder} is gone: put it back as it was, or set DATA_DIR to another folder`)
  }
  if (/no space left on device|could not extend/i.test(output)) {
    return new StartError(`The disk that holds ${folder} is full: free some space and start again`)
  }
  if (/lock file "postmaster\.pid" already exists|could not lock/i.test(output)) return inUse(folder)
  if (/database files are incompatible/i.test(output)) {
    return new StartError(
      `The data in ${folder} was made by another version of PostgreSQL: start the Parley that made it`,
    )
  }
  if (/could not look up effective user ID/i.test(output)) {
    return new StartError(
      `PostgreSQL wants an account with a name, and uid ${process.getuid?.()} has none: add it to /etc/passwd`,
    )
  }
  if (/error while loading shared libraries|cannot execute|not found/i.test(output)) {
    return new StartError(
      `PostgreSQL doesn't run on this system (${lastLine(output)}): set DATABASE_URL to the address of a server`,
    )
  }
  return new StartError(`PostgreSQL did not start: ${lastLine(output)}`)
}

export function inUse(folder: string): StartError {
  return new StartError(
    `The data folder ${folder} is in use by another Parley: stop that one, or set DATA_DIR to another folder`,
  )
}

/** @returns whether a refused connection means that the server is starting */
export function askedToWait(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return (
    ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03'].includes(code) || /terminated unexpectedly/.test(String(error))
  )
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => /FATAL|PANIC|ERROR|error/.test(line))
  const line = lines.at(-1) ?? output.trim().split('\n').at(-1) ?? ''
  return line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '').trim() || 'it gave no reason'
}
