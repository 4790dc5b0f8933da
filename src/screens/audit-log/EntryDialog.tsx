import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../server/contracts/auditLog'
import { formatMoment, formatNumber } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import styles from './auditLog.module.css'
import { entryName } from './entryName'

/** An entry with all that is known of it: from where, which call, the values before and after. Mount it to open it. */
export function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { t } = useTranslation('auditLog')
  const { t: common } = useTranslation()
  const facts: [label: string, value: string | null, isCode?: boolean][] = [
    [t('when'), formatMoment(entry.at)],
    [t('who'), personName(entry, t('gone'), t('commandLine'))],
    [t('about'), entry.about],
    [t('chatbot'), entry.chatbot],
    [t('address'), entry.address, true],
    [t('call'), entry.call, true],
    [t('number'), formatNumber(entry.seq)],
    [t('hash'), entry.hash, true],
  ]
  return (
    <Modal opened onClose={onClose} title={entryName(t, entry.type)} size="xl">
      <dl className={styles.facts}>
        {facts.map(
          ([label, value, isCode]) =>
            value !== null && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{isCode ? <code>{value}</code> : value}</dd>
              </div>
            ),
        )}
      </dl>
      {entry.changes.length > 0 && (
        <table className={styles.changes}>
          <caption>{t('changes')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('setting')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {entry.changes.flatMap(({ subject, gid, before, after }) =>
              Object.keys(after).map((name) => (
                <tr key={`${subject} ${gid} ${name}`}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td data-tone="before">{shown(before[name])}</td>
                  <td data-tone="after">{shown(after[name])}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
      <details className={styles.data}>
        <summary>{t('data')}</summary>
        <pre>{JSON.stringify(entry.payload, null, 2)}</pre>
      </details>
      <ModalActions>
        <Button onClick={onClose}>{common('actions.close')}</Button>
      </ModalActions>
    </Modal>
  )
}

/** Who did it: the account's name, or that it is gone. */
export const personName = ({ person }: AuditEntry, gone: string, commandLine: string): string =>
  person === null ? commandLine : (person.name ?? gone)

const NOTHING = '–'
function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
