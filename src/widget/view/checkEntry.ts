import type { ChatTexts } from '../texts'
import type { InputRequest } from '../types'

/**
 * What is plainly wrong with an entry, said before it is sent; null when nothing is. The server's block has the last word and
 * its own texts: this only spares a visitor the round trip.
 */
export function checkEntry(request: InputRequest, value: string, texts: ChatTexts): string | null {
  const entry = value.trim()
  if (request.input === 'email') return /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(entry) ? null : texts.invalidEmail
  if (request.input !== 'number') return null
  const number = Number(entry)
  if (!Number.isFinite(number)) return texts.invalidNumber
  if (request.integer && !Number.isInteger(number)) return texts.wholeNumber
  if (request.min !== undefined && number < request.min) return texts.tooSmall.replace('{n}', String(request.min))
  if (request.max !== undefined && number > request.max) return texts.tooLarge.replace('{n}', String(request.max))
  return null
}
