import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contactFields } from '../../../../engine/values/contactFields'
import { CUSTOM } from '../../../../server/contracts/contactFilter'
import type { ContactEntry } from '../../../../server/contracts/contacts'
import { mergePreviewQuery, useMerges } from '../../../api/contactMerges'
import { failureText } from '../../../api/failure'
import { Button } from '../../../ui/Button'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { ModalActions } from '../../../ui/Modal'
import { notify } from '../../../ui/notify'
import styles from './merges.module.css'

interface MergeFormProps {
  pgid: string
  pair: { into: string; from: string }
  onClose: () => void
}

/** Two contacts side by side: of each field that differs, the person chooses the value that stays. */
export function MergeForm({ pgid, pair: given, onClose }: MergeFormProps) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const [pair, setPair] = useState(given)
  const [taken, setTaken] = useState<readonly string[]>([])
  const { data, error, refetch } = useQuery(mergePreviewQuery(pgid, pair))
  const { merge } = useMerges(pgid)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={6} height={36} />
  const rows = rowsOf(data.into, data.from)
  const swap = () => {
    setPair({ into: pair.from, from: pair.into })
    setTaken([])
  }
  const toggle = (name: string, isTaken: boolean) =>
    setTaken(isTaken ? [...taken, name] : taken.filter((each) => each !== name))
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.preview}>
          <thead>
            <tr>
              <th scope="col">{t('merge.field')}</th>
              <th scope="col">{t('merge.stays')}</th>
              <th scope="col">{t('merge.goes')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, into, from }) => {
              const label = name.startsWith(CUSTOM)
                ? name.slice(CUSTOM.length)
                : t(`fields.${name as (typeof contactFields)[number]}`)
              const differ = into !== '' && from !== '' && into !== from
              const isTaken = into === '' || taken.includes(name)
              return (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  {([false, true] as const).map((ofOther) => {
                    const value = ofOther ? from : into
                    const isChosen = value !== '' && isTaken === ofOther
                    return (
                      <td key={String(ofOther)} data-chosen={isChosen || undefined}>
                        {differ ? (
                          <label className={styles.value}>
                            <input
                              type="radio"
                              name={name}
                              checked={isChosen}
                              aria-label={`${label}: ${value}`}
                              onChange={() => toggle(name, ofOther)}
                            />
                            <span>{value}</span>
                          </label>
                        ) : (
                          value
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.moved}>
        {t('merge.moved', {
          conversations: t('merge.conversations', { count: data.conversations }),
          leads: t('merge.leads', { count: data.leads }),
        })}
      </p>
      {merge.error && (
        <p role="alert" className={styles.problem}>
          {failureText(merge.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button icon={<ArrowLeftRight />} onClick={swap}>
          {t('merge.swap')}
        </Button>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button
          design="primary"
          loading={merge.isPending}
          onClick={() =>
            merge.mutate(
              { ...pair, take: [...taken] },
              {
                onSuccess: () => {
                  notify.success(t('merge.merged'))
                  onClose()
                },
              },
            )
          }
        >
          {t('merge.confirm')}
        </Button>
      </ModalActions>
    </>
  )
}

/** The fields that either has, own ones after the others. */
function rowsOf(into: ContactEntry, from: ContactEntry): { name: string; into: string; from: string }[] {
  const own = [...new Set([...Object.keys(into.custom), ...Object.keys(from.custom)])]
  return [
    ...contactFields.map((name) => ({ name, into: into.fields[name] ?? '', from: from.fields[name] ?? '' })),
    ...own.map((name) => ({ name: CUSTOM + name, into: into.custom[name] ?? '', from: from.custom[name] ?? '' })),
  ].filter((row) => row.into !== '' || row.from !== '')
}
