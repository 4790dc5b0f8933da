import type { CrmObject } from '../../../../engine/effects/crm'

/** The version of HubSpot's interface: its name in all paths. Each lives at least 18 months. */
export const VERSION = '2026-09'

/** What HubSpot calls its objects in paths, and in addresses for people. */
export const objects: Readonly<Record<CrmObject, { path: string; type: string }>> = {
  contact: { path: 'contacts', type: '0-1' },
  company: { path: 'companies', type: '0-2' },
  ticket: { path: 'tickets', type: '0-5' },
}

/** Kinds of links, which have a direction: HubSpot's own ids. */
export const linkTypes: Readonly<Record<CrmObject, Partial<Record<CrmObject, number>>>> = {
  contact: { company: 279, ticket: 15 },
  company: { contact: 280, ticket: 340 },
  ticket: { contact: 16, company: 339 },
}
