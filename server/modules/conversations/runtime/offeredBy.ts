import type { InputRequest } from '../../../../engine/flow/effects'
import { MOST_OFFERED, type Offered } from '../../../contracts/offered'

type Choice = { label: string; url?: string }

/**
 * What a question offers beside a field to type in; null: nothing. Entries that a form began with are left out: they
 * are the visitor's, and stand in the reply. The buttons of cards stand on the cards.
 */
export function offeredBy(request: InputRequest | null): Offered | null {
  if (request === null) return null
  switch (request.input) {
    case 'choice':
      return request.shown === 'cards' ? null : choices('choice', request.options, request.multiple)
    case 'rating':
      return { input: 'rating', scale: request.scale, options: request.options.slice(0, MOST_OFFERED).map(optionOf) }
    case 'form':
      return {
        input: 'form',
        submit: request.submitLabel,
        fields: request.fields.slice(0, MOST_OFFERED).map(({ label, type, required, placeholder, choices: of }) => ({
          ...{ label, type, required, placeholder },
          choices: of.slice(0, MOST_OFFERED),
        })),
        ...moreThan(request.fields),
      }
    case 'file':
      return { input: 'file', accept: request.accept.slice(0, MOST_OFFERED), many: request.maxCount > 1 }
    case 'date':
      return { input: 'date', mode: request.mode, range: request.range }
    case 'wait':
      return null
    default:
      return request.quickReplies?.length ? choices('quick', request.quickReplies, false) : null
  }
}

const choices = (input: 'choice' | 'quick', options: readonly Choice[], multiple: boolean): Offered => ({
  ...{ input, multiple },
  options: options.slice(0, MOST_OFFERED).map(optionOf),
  ...moreThan(options),
})
const optionOf = ({ label, url }: Choice) => (url === undefined ? { label } : { label, url })
const moreThan = (all: readonly unknown[]) => (all.length > MOST_OFFERED ? { more: all.length - MOST_OFFERED } : {})
