import { Check, Info, PackageOpen, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportReport } from '../../engine/interop/importer'
import { Badge } from './Badge'
import { Button } from './Button'
import styles from './ImportReportDialog.module.css'
import { Modal, ModalActions, ModalText } from './Modal'

export interface ImportReportDialogProps {
  /** null: closed */
  result: { report: ImportReport; groups: number; blocks: number } | null
  /** the closing button's label; default: “Done” */
  done?: string
  onClose: () => void
}

const products: Record<ImportReport['product'], string> = {
  typebot: 'Typebot',
  dify: 'Dify',
  flowise: 'Flowise',
  parley: 'Parley',
}

/** The result of an import: what was imported, placeholders with reasons, and notes. */
export function ImportReportDialog({ result, done, onClose }: ImportReportDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal opened={result !== null} onClose={onClose} title={t('importReport.title')} size={560}>
      {result && (
        <>
          <ModalText>
            {t('importReport.summary', {
              groups: t('importReport.groups', { count: result.groups }),
              blocks: t('importReport.blocks', { count: result.blocks }),
              // older files of other products have no version
              product: `${products[result.report.product]} ${result.report.version}`.trim(),
            })}
          </ModalText>
          <Findings report={result.report} />
          <ModalActions>
            <Button design="primary" onClick={onClose} data-autofocus>
              {done ?? t('importReport.done')}
            </Button>
          </ModalActions>
        </>
      )}
    </Modal>
  )
}

function Findings({ report: { placeholders, notes, mapped } }: { report: ImportReport }) {
  const { t } = useTranslation()
  const { t: blocks } = useTranslation('blocks')
  const titleOf = (kind: string) => blocks(`${kind}.title`, { defaultValue: kind })
  const isRenamed = (type: string, kind: string) => type !== kind && type.toLowerCase() !== titleOf(kind).toLowerCase()
  return (
    <div className={styles.findings}>
      {placeholders.length > 0 && (
        <Part icon={<PackageOpen />} title={t('importReport.placeholders')} hint={t('importReport.placeholdersHint')}>
          {placeholders.map(({ type, count, reason, places }) => (
            <li key={`${type} ${reason}`}>
              <span className={styles.row}>
                {type} <Badge tone="warning">{count}</Badge>
              </span>
              <span className={styles.faint}>
                {reason} {t('importReport.in', { places: places.join(', ') })}
              </span>
            </li>
          ))}
        </Part>
      )}
      {notes.length > 0 && (
        <Part icon={<TriangleAlert />} title={t('importReport.notes')}>
          {byMessage(notes).map(({ level, places, message }) => (
            <li key={`${level} ${message}`} className={styles.note} data-level={level}>
              {level === 'warning' ? <TriangleAlert size={14} /> : <Info size={14} />}
              <span>
                {message} {places.length > 0 && <span className={styles.faint}>{places.join(', ')}</span>}
              </span>
            </li>
          ))}
        </Part>
      )}
      {mapped.length > 0 && (
        <Part icon={<Check />} title={t('importReport.mapped')} hint={t('importReport.mappedHint')}>
          {mapped.map(({ type, kind, count }) => (
            <li key={`${type} ${kind}`} className={styles.row}>
              <span>
                {titleOf(kind)}{' '}
                {isRenamed(type, kind) && <span className={styles.faint}>{t('importReport.was', { type })}</span>}
              </span>
              <Badge>{count}</Badge>
            </li>
          ))}
        </Part>
      )}
    </div>
  )
}

type Note = ImportReport['notes'][number]

/** Each note once, with all its places; warnings first. */
function byMessage(notes: readonly Note[]): (Pick<Note, 'level' | 'message'> & { places: string[] })[] {
  const said = new Map<string, Pick<Note, 'level' | 'message'> & { places: string[] }>()
  for (const { level, message, place } of notes) {
    const key = `${level} ${message}`
    const one = said.get(key) ?? { level, message, places: [] }
    if (place) one.places.push(place)
    said.set(key, one)
  }
  const remarks = [...said.values()]
  return [...remarks.filter(({ level }) => level === 'warning'), ...remarks.filter(({ level }) => level !== 'warning')]
}

function Part({ icon, title, hint, children }: { icon: ReactNode; title: string; hint?: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>
        {icon} {title}
      </h3>
      {hint && <p className={styles.faint}>{hint}</p>}
      <ul className={styles.list}>{children}</ul>
    </section>
  )
}
