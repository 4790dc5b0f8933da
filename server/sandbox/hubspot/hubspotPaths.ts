import type { Answer } from '../call'
import type { ObjectType } from './state'

/** Dated versions live at least 18 months. */
export const VERSION = '2026-09'

export const TYPES: readonly ObjectType[] = ['contacts', 'companies', 'tickets']

export const readScopes = (type: ObjectType): string[] =>
  type === 'tickets' ? ['tickets'] : [`crm.objects.${type}.read`, `crm.objects.${type}.write`]

export const writeScopes = (type: ObjectType): string[] =>
  type === 'tickets' ? ['tickets'] : [`crm.objects.${type}.write`]

/** Any one of these lets an application see schemas and links. */
export const ANY_SCOPE: readonly string[] = TYPES.flatMap(readScopes)

export const ok = (body: unknown, status = 200): Answer => ({ status, body })
