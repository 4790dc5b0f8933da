import { dictionary } from '@zxcvbn-ts/language-common'
import { fieldError } from '../../../platform/errors'

/** Some 49,000 common passwords in lower case, including the 10,000 most common ones. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/**
 * The list stays on the server: a form would have to load it.
 * @throws ApiError at the field `password` for a common password, in any case
 */
export function refuseCommonPassword(password: string): void {
  if (!common.has(password.toLowerCase())) return
  throw fieldError('password', 'This password is among the most common ones. Choose a longer or less usual one.')
}
