/** A command failed; the message names the cause and the remedy. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
