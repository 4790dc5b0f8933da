/**
 * Why a call of a vendor failed, one row per cause, for the editor of a flow: what is wrong and what to do. Codes are
 * stable; retired ones are never reused. Visitors never see these texts.
 */
export const vendorErrors = {
  gone: () => 'This connection no longer exists. Choose another one in the block’s settings.',
  other_vendor: (vendor) => `The chosen connection is not one of ${vendor}. Choose another one.`,
  reconnect: (vendor) => `${vendor} no longer lets Parley in. Connect it again under Integrations.`,
  client: (vendor) =>
    `${vendor} does not accept this installation’s client id and secret. Whoever runs Parley can correct them.`,
  unset: (vendor) => `This installation is not set up for ${vendor}. Whoever runs Parley can do that.`,
  sandbox_off: () =>
    'This connection is one to the sandbox, which is off. An owner can turn it on in the project’s settings; or connect a real account.',
  foreign_host: (host) => `The answer names “${host}”, which is not an address of this vendor. Nothing was sent there.`,
  scope: (detail) => `The connection lacks a permission: ${detail}. Connect it again, and leave everything ticked.`,
  forbidden: (detail) => `The connected account may not do this: ${detail}`,
  not_found: (what) => `${what} was not found. It may have been deleted, or is not shared with the connected account.`,
  changed: (what) => `${what} was changed by somebody else at the same moment. Try again.`,
  exists: (detail) => `This exists already: ${detail}`,
  taken: (detail) => `This time is not free any more: ${detail}`,
  refused: (detail) => `This was refused: ${detail}`,
  spent: (vendor) =>
    `The calls that the account at ${vendor} has in 24 hours are used up, or nearly so. Try again later, or add more there.`,
  bad_id: (detail) => `This is not an ID that can be used here: ${detail}`,
  field_missing: (detail) => `A field does not exist any more: ${detail}. Choose it again in the block’s settings.`,
  field_required: (names) => `The account asks for more fields: ${names}. Add them in the block’s settings.`,
  several: (detail) => `Several records match: ${detail}. Leave one, or find it by something else.`,
  busy: (vendor) => `${vendor} limits how much can be done in a minute, and the wait was too long. Try again later.`,
  unavailable: (detail) => `The vendor failed (${detail}). Try again later.`,
  unreadable: (vendor) => `${vendor} answered something that can’t be read. Try again later.`,
  unreachable: (detail) => detail,
  too_large: (what) => `${what} is too large to be read. Keep less in it.`,
  column_missing: (name) => `There is no column “${name}” in the first row any more. Choose the column again.`,
  column_twice: (name) => `Several columns are called “${name}”. Rename all but one.`,
  header_empty: (what) => `The first row of ${what} is empty. Write the names of the columns into it.`,
  bad_row: (value) => `“${value}” is not the number of a row: enter a whole number from 2 on.`,
  too_long: (name) => `The value for “${name}” has more than 50,000 characters, the most that a cell holds.`,
  file_gone: (address) =>
    `“${address}” is no file that a visitor sent here, or it was deleted. Choose the variable in which a file upload saves.`,
  file_large: (name) =>
    `The file “${name}” has more than 20 MB, the most that is attached. Have the file upload take smaller ones.`,
  too_many: (count) => `${count} rows match, and one block changes 1,000 at most. Narrow the search.`,
} as const satisfies Record<string, (value: string) => string>

export type VendorErrorCode = keyof typeof vendorErrors

/** After these a connection has to be made again. */
export const needsReconnect: ReadonlySet<VendorErrorCode> = new Set(['reconnect', 'scope'])

/** Thrown by calls of vendors for every kind of failure. */
export class VendorError extends Error {
  override readonly name = 'VendorError'
  /** whether it is unknown if the call had its effect: the answer got lost */
  readonly isUncertain: boolean

  constructor(
    readonly code: VendorErrorCode,
    /** what its text names */
    readonly value = '',
    options: { isUncertain?: boolean; cause?: unknown } = {},
  ) {
    const shown = value.length > 300 ? `${value.slice(0, 300)}…` : value
    super(vendorErrors[code](shown), { cause: options.cause })
    this.isUncertain = options.isUncertain ?? false
  }
}
