import type { AiSettings } from '../../../server/contracts/ai'

/** The settings as typed: numbers and lists are texts until they are saved. */
export interface Draft extends Omit<AiSettings, 'monthly_budget' | 'visitor_budget' | 'hide_urls'> {
  monthly_budget: string
  visitor_budget: string
  /** one per line */
  hide_urls: string
}
export type BudgetField = 'monthly_budget' | 'visitor_budget'

export const draftOf = (settings: AiSettings): Draft => ({
  ...settings,
  monthly_budget: settings.monthly_budget?.toString() ?? '',
  visitor_budget: settings.visitor_budget?.toString() ?? '',
  hide_urls: settings.hide_urls.join('\n'),
})

/** Parses a number of credits, with a point or a comma; null if empty, undefined if invalid. */
export function readCredits(text: string): number | null | undefined {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

/** The changed settings in the route's form; null if a budget is invalid. */
export function changesOf(draft: Draft, saved: AiSettings): Partial<AiSettings> | null {
  const monthly_budget = readCredits(draft.monthly_budget)
  const visitor_budget = readCredits(draft.visitor_budget)
  if (monthly_budget === undefined || visitor_budget === undefined) return null
  const lines = draft.hide_urls.split('\n').map((line) => line.trim())
  const settings: AiSettings = {
    ...draft,
    monthly_budget,
    visitor_budget,
    hide_urls: lines.filter((line) => line !== ''),
  }
  const keys = Object.keys(settings) as (keyof AiSettings)[]
  return Object.fromEntries(
    keys.flatMap((key) => (JSON.stringify(settings[key]) === JSON.stringify(saved[key]) ? [] : [[key, settings[key]]])),
  )
}
