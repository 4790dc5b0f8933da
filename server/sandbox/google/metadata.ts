import { fieldsOf } from '../call'
import type { SeededRandom } from '../seededRandom'
import { readA1 } from './a1'
import { refuseGoogle } from './errors'
import type { Metadata, MetadataPlace, Spreadsheet } from './spreadsheet'

/** Characters of keys and values that the spreadsheet holds for itself, and as many again for each of its tabs. */
export const METADATA_LIMIT = 30_000

interface Location {
  spreadsheet?: boolean
  sheetId?: number
  dimensionRange?: { sheetId?: number; dimension?: string; startIndex?: number; endIndex?: number }
}

export interface MetadataInput {
  metadataId?: number
  metadataKey?: string
  metadataValue?: string
  visibility?: string
  location?: Location
}

export interface DataFilter {
  developerMetadataLookup?: {
    locationType?: string
    locationMatchingStrategy?: string
    metadataLocation?: Location
    metadataId?: number
    metadataKey?: string
    metadataValue?: string
    visibility?: string
  }
  a1Range?: string
  gridRange?: { sheetId?: number; startRowIndex?: number; endRowIndex?: number }
}

/** Adds a note of a program. @throws a Refusal for a place that is not there, an id that is taken, or no room */
export function createMetadata(spreadsheet: Spreadsheet, input: MetadataInput, random: SeededRandom): Metadata {
  const { metadataKey, metadataValue, visibility } = input
  if (!metadataKey) throw refuseGoogle(400, 'Invalid requests: metadataKey must be set.')
  if (visibility !== 'DOCUMENT' && visibility !== 'PROJECT')
    throw refuseGoogle(400, 'Invalid requests: developer metadata visibility must be specified.')
  const place = placeOf(spreadsheet, input.location)
  const metadataId = input.metadataId ?? Number(random.digits(9))
  if (spreadsheet.metadata.some((other) => other.metadataId === metadataId))
    throw refuseGoogle(400, `Invalid requests: developer metadata with id ${metadataId} already exists.`)
  const added: Metadata = {
    metadataId,
    metadataKey,
    ...(metadataValue !== undefined && { metadataValue }),
    visibility,
    place,
  }
  spreadsheet.metadata.push(added)
  requireRoom(spreadsheet, sheetOf(place))
  return added
}

export function requireRoom(spreadsheet: Spreadsheet, sheetId: number | null): void {
  const held = spreadsheet.metadata.filter(({ place }) => sheetOf(place) === sheetId)
  const size = held.reduce((sum, note) => sum + note.metadataKey.length + (note.metadataValue?.length ?? 0), 0)
  if (size > METADATA_LIMIT)
    throw refuseGoogle(
      400,
      `Invalid requests: developer metadata would exceed the limit of ${METADATA_LIMIT} characters.`,
    )
}

const sheetOf = (place: MetadataPlace): number | null => (place.kind === 'SPREADSHEET' ? null : place.sheetId)

/** @returns where a location points. @throws a Refusal unless it is the spreadsheet, a tab, one row or one column */
function placeOf(spreadsheet: Spreadsheet, location: Location | undefined): MetadataPlace {
  const range = location?.dimensionRange
  const sheetId = range?.sheetId ?? location?.sheetId ?? 0
  if (location?.spreadsheet) return { kind: 'SPREADSHEET' }
  if (!location || (!range && location.sheetId === undefined))
    throw refuseGoogle(400, 'Invalid requests: a location of developer metadata must be specified.')
  const sheet = spreadsheet.sheets.find((other) => other.sheetId === sheetId)
  if (!sheet) throw refuseGoogle(400, `Invalid requests: No grid with id: ${sheetId}`)
  if (!range) return { kind: 'SHEET', sheetId }
  const { startIndex = 0, endIndex = 0 } = range
  const isRows = range.dimension !== 'COLUMNS'
  if (endIndex - startIndex !== 1 || startIndex < 0 || endIndex > (isRows ? sheet.rowCount : sheet.columnCount))
    throw refuseGoogle(400, 'Invalid requests: developer metadata can only be on a single row or column of the grid.')
  return { kind: isRows ? 'ROW' : 'COLUMN', sheetId, index: startIndex }
}

export function presentMetadata({ place, ...note }: Metadata) {
  if (place.kind === 'SPREADSHEET') return { ...note, location: { locationType: place.kind, spreadsheet: true } }
  const { sheetId } = place
  if (place.kind === 'SHEET') return { ...note, location: { locationType: place.kind, sheetId } }
  const dimension = place.kind === 'ROW' ? 'ROWS' : 'COLUMNS'
  const dimensionRange = { sheetId, dimension, startIndex: place.index, endIndex: place.index + 1 }
  return { ...note, location: { locationType: place.kind, dimensionRange } }
}

/** @returns the notes that any of the filters finds */
export function findMetadata(spreadsheet: Spreadsheet, filters: readonly DataFilter[]): Metadata[] {
  return spreadsheet.metadata.filter((note) => filters.some((filter) => matches(spreadsheet, note, filter)))
}

export function searchMetadata(spreadsheet: Spreadsheet, body: unknown) {
  const filters = (fieldsOf(body).dataFilters ?? []) as DataFilter[]
  if (filters.length === 0) throw refuseGoogle(400, 'Must specify at least one data filter.')
  const found = findMetadata(spreadsheet, filters).map((note) => ({
    developerMetadata: presentMetadata(note),
    dataFilters: filters.filter((filter) => matches(spreadsheet, note, filter)),
  }))
  return found.length === 0 ? {} : { matchedDeveloperMetadata: found }
}

function matches(spreadsheet: Spreadsheet, note: Metadata, filter: DataFilter): boolean {
  const { place } = note
  const lookup = filter.developerMetadataLookup
  if (lookup) {
    const { metadataId, metadataKey, metadataValue, visibility, locationType, metadataLocation } = lookup
    if (metadataId !== undefined && metadataId !== note.metadataId) return false
    if (metadataKey !== undefined && metadataKey !== note.metadataKey) return false
    if (metadataValue !== undefined && metadataValue !== note.metadataValue) return false
    if (visibility !== undefined && visibility !== note.visibility) return false
    if (locationType !== undefined && locationType !== place.kind) return false
    if (!metadataLocation) return true
    const wanted = placeOf(spreadsheet, metadataLocation)
    const isExact = JSON.stringify(wanted) === JSON.stringify(place)
    if (isExact || lookup.locationMatchingStrategy !== 'INTERSECTING_LOCATION') return isExact
    return wanted.kind === 'SPREADSHEET' || sheetOf(place) === null || sheetOf(wanted) === sheetOf(place)
  }
  if (place.kind === 'SPREADSHEET') return false
  if (filter.a1Range !== undefined) {
    const area = readA1(spreadsheet, filter.a1Range)
    return area.sheet.sheetId === place.sheetId && (place.kind !== 'ROW' || within(place.index, area.top, area.bottom))
  }
  const range = filter.gridRange
  if (!range || (range.sheetId ?? 0) !== place.sheetId) return false
  return place.kind !== 'ROW' || within(place.index, range.startRowIndex ?? 0, range.endRowIndex ?? Infinity)
}

const within = (index: number, from: number, to: number) => index >= from && index < to
