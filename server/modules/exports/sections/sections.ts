import type { ExportKind } from '../../../contracts/exports'
import { analytics } from './analytics'
import { conversations, messages } from './conversations'
import { credits } from './credits'
import { passages, sources } from './knowledge'
import { contacts, leads, results } from './people'
import type { Section } from './section'

/** The tables of each kind of export, in their order. */
export const sectionsOf: Readonly<Record<ExportKind, readonly Section[]>> = {
  conversations: [conversations, messages],
  contacts: [contacts],
  leads: [leads],
  results: [results],
  analytics: [analytics, credits],
  knowledge: [sources, passages],
  project: [conversations, messages, contacts, leads, results, analytics, credits, sources, passages],
}
