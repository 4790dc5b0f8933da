import type { ImportNote, ImportReport } from './importer'

/** The most notes and places listed; the rest is counted. */
const MAX_NOTES = 500
const MAX_PLACES = 10

export interface ReportWriter {
  mapped(type: string, kind: string): void
  placeholder(type: string, reason: string, place: string): void
  note(level: ImportNote['level'], place: string | undefined, message: string): void
  finish(): ImportReport
}

/** Collects the report of an import; a note is kept once per place. */
export function createReport(product: ImportReport['product'], version: string): ReportWriter {
  const mapped = new Map<string, ImportReport['mapped'][number]>()
  const placeholders = new Map<string, ImportReport['placeholders'][number]>()
  const notes = new Map<string, ImportNote>()
  let left = 0

  return {
    mapped(type, kind) {
      const row = mapped.get(`${type}\n${kind}`) ?? { type, kind, count: 0 }
      mapped.set(`${type}\n${kind}`, { ...row, count: row.count + 1 })
    },
    placeholder(type, reason, place) {
      const row = placeholders.get(`${type}\n${reason}`) ?? { type, count: 0, reason, places: [] }
      const places =
        row.places.includes(place) || row.places.length === MAX_PLACES ? row.places : [...row.places, place]
      placeholders.set(`${type}\n${reason}`, { ...row, count: row.count + 1, places })
    },
    note(level, place, message) {
      const key = `${level}\n${place ?? ''}\n${message}`
      if (notes.size >= MAX_NOTES && !notes.has(key)) left++
      else notes.set(key, place === undefined ? { level, message } : { level, place, message })
    },
    finish: () => ({
      product,
      version,
      mapped: [...mapped.values()],
      placeholders: [...placeholders.values()],
      notes: [
        ...notes.values(),
        ...(left > 0 ? [{ level: 'info' as const, message: `${left} more notes are left out.` }] : []),
      ],
    }),
  }
}
