import { Check, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageName } from '../../../engine/values/languages'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import type { ImportAnswer } from './exchange/importTranslations'
import styles from './report.module.css'

type Answer = ImportAnswer & { ok: true }

/** The most entries that are listed; more are only counted. */
const LISTED = 20

interface ReportProps {
  /** null: closed */
  answer: Answer | null
  onImport: (answer: Answer) => void
  onClose: () => void
}

/** Shows what an import would change and which entries don't fit; it changes nothing until the user confirms. */
export function ImportReport({ answer, onImport, onClose }: ReportProps) {
  const { t } = useTranslation('translations')
  return (
    <Modal opened={answer !== null} onClose={onClose} title={t('import.title')} size={560}>
      {answer && <Report answer={answer} onImport={onImport} onClose={onClose} />}
    </Modal>
  )
}

function Report({ answer, onImport, onClose }: ReportProps & { answer: Answer }) {
  const { t } = useTranslation('translations')
  const { plan, newLanguages, foreign } = answer
  const { changes, replaced, same, outdated, unknown, refused, lost } = plan
  const named = (codes: readonly string[]) => codes.map(languageName).join(', ')
  const place = ({ id, language }: { id: string; language: string }) => `${id} (${language})`
  return (
    <>
      <ul className={styles.report}>
        {newLanguages.length > 0 && (
          <Line icon={<Info />}>{t('import.newLanguages', { languages: named(newLanguages) })}</Line>
        )}
        {changes.length > 0 && <Line icon={<Check />}>{t('import.changes', { count: changes.length })}</Line>}
        {replaced > 0 && <Line icon={<Info />}>{t('import.replaced', { count: replaced })}</Line>}
        {same > 0 && <Line icon={<Info />}>{t('import.same', { count: same })}</Line>}
        {changes.length === 0 && <Line icon={<Info />}>{t('import.nothing')}</Line>}
        {outdated > 0 && (
          <Line icon={<TriangleAlert />} warns>
            {t('import.outdated', { count: outdated })}
          </Line>
        )}
        {lost.length > 0 && (
          <Line
            icon={<TriangleAlert />}
            warns
            items={lost.map((one) => `${place(one)}: ${one.variables.map((name) => `{{${name}}}`).join(', ')}`)}
          >
            {t('import.lost', { count: lost.length })}
          </Line>
        )}
        {refused.length > 0 && (
          <Line icon={<TriangleAlert />} warns items={refused.map((one) => `${place(one)}: ${one.message}`)}>
            {t('import.refused', { count: refused.length })}
          </Line>
        )}
        {unknown.length > 0 && (
          <Line icon={<TriangleAlert />} warns items={unknown.map(place)}>
            {t('import.unknown', { count: unknown.length })}
          </Line>
        )}
        {foreign.length > 0 && (
          <Line icon={<TriangleAlert />} warns>
            {t('import.foreign', {
              languages: foreign.map(({ language, count }) => `${language} (${count})`).join(', '),
            })}
          </Line>
        )}
      </ul>
      <ModalActions>
        <Button onClick={onClose}>{t('import.close')}</Button>
        <Button design="primary" disabled={changes.length === 0} data-autofocus onClick={() => onImport(answer)}>
          {t('import.submit')}
        </Button>
      </ModalActions>
    </>
  )
}

interface LineProps {
  icon: ReactNode
  warns?: boolean
  items?: readonly string[]
  children: ReactNode
}

function Line({ icon, warns, items = [], children }: LineProps) {
  const { t } = useTranslation('translations')
  return (
    <li className={styles.line} data-warns={warns || undefined}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <div>
        {children}
        {items.length > 0 && (
          <ul className={styles.items}>
            {items.slice(0, LISTED).map((item) => (
              <li key={item}>{item}</li>
            ))}
            {items.length > LISTED && <li>{t('import.more', { count: items.length - LISTED })}</li>}
          </ul>
        )}
      </div>
    </li>
  )
}
