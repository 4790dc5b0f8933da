import { fieldError } from '../../../platform/errors'

let loading: Promise<ReadonlySet<string>> | undefined

/** Some 49,000 common passwords in lower case, including the 10,000 most common ones. No start waits for them. */
const load = async () => new Set((await import('@zxcvbn-ts/language-common')).dictionary['passwords-common'])

/**
 * The list stays on the server: a form would have to load it.
 * @throws ApiError at the field `password` for a common password, in any case
 */
export async function refuseCommonPassword(password: string): Promise<void> {
  loading ??= load()
  const common = await loading
  if (!common.has(password.toLowerCase())) return
  throw fieldError('password', 'This password is among the most common ones. Choose a longer or less usual one.')
}
