import { emailRule, phoneRule } from '../../../../engine/values/rules'
import type { LeadSource } from '../../../contracts/leads'
import type { Answered } from '../results/readAnswers'

export interface FoundLead {
  source: LeadSource
  name: string
  email: string
  phone: string
}

/** Kinds of blocks whose answers make a lead, and what each is called as a source. */
const sources: Readonly<Record<string, LeadSource>> = { form: 'form', 'email-input': 'email', 'phone-input': 'phone' }
const LONGEST = { name: 255, email: 320, phone: 50 } as const
const NAMES = /^(full|first|last|your|contact|visitor)?[ _]*name$/i

/** Who can be reached by what was answered; null: the flow took no form, email or phone. */
export function leadOf({ answers, byKind }: Pick<Answered, 'answers' | 'byKind'>): FoundLead | null {
  const taken = byKind.filter(({ kind }) => Object.hasOwn(sources, kind))
  const [first] = taken
  if (!first) return null
  const named = answers.filter(({ name }) => NAMES.test(name.trim())).map(({ value }) => value)
  return {
    // a form says more than the questions beside it
    source: taken.some(({ kind }) => kind === 'form') ? 'form' : (sources[first.kind] ?? 'form'),
    name: named.join(' ').slice(0, LONGEST.name),
    email: (taken.find(({ value }) => emailRule.test(value))?.value ?? '').slice(0, LONGEST.email),
    phone: (taken.find(({ value }) => phoneRule.test(value))?.value ?? '').slice(0, LONGEST.phone),
  }
}
