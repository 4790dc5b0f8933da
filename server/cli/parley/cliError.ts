/** A command could not be carried out; the message names what and the remedy. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
