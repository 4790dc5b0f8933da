import { Check, CircleCheck, CircleDashed, CircleX, Crosshair, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordingCaps } from '../../../../engine/run/recordingFormat'
import type { KeptTest, TestResult } from '../../../../server/contracts/recordings'
import { failureText } from '../../../api/failure'
import { useTestChanges } from '../../../api/tests'
import { useEditor } from '../../../canvas/context'
import { formatDate } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { IconButton } from '../../../ui/IconButton'
import { NameDialog } from '../../../ui/NameDialog'
import { notify } from '../../../ui/notify'
import type { ShownPlace } from '../showPlace'
import styles from './TestsPanel.module.css'

interface TestRowProps {
  pgid: string
  cgid: string
  test: KeptTest
  /** undefined: not run since it was loaded */
  result: TestResult | undefined
  open: boolean
  onToggle: () => void
  onAccepted: () => void
  whenSaved: () => Promise<void>
  onShow: (place: ShownPlace) => void
}

/** A test with its result; opened, its first difference, and actions. */
export function TestRow(props: TestRowProps) {
  const { test, result, open, onToggle } = props
  const { t } = useTranslation('tests')
  const state = !result ? 'unknown' : result.difference ? 'changed' : 'same'
  const Icon = { unknown: CircleDashed, changed: CircleX, same: CircleCheck }[state]
  return (
    <li data-open={open || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-label={t('row', { name: test.name, state: t(`state.${state}`) })}
        onClick={onToggle}
      >
        <Icon size={15} aria-hidden data-state={state} />
        <span className={styles.name}>{test.name}</span>
        <span className={styles.meta}>{t('turns', { count: test.turns })}</span>
      </button>
      {open && <Details {...props} />}
    </li>
  )
}

function Details({ pgid, cgid, test, result, onAccepted, whenSaved, onShow }: TestRowProps) {
  const { t } = useTranslation('tests')
  const { readOnly } = useEditor()
  const { rename, accept, remove } = useTestChanges(pgid, cgid)
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null)
  const difference = result?.difference
  const place = difference?.place
  const close = () => setAsking(null)
  return (
    <div className={styles.details}>
      <p className={styles.hint}>{t('kept', { at: formatDate(test.at), by: test.by })}</p>
      {difference && (
        <div className={styles.difference}>
          <p>
            <strong>{t('turn', { n: difference.turn + 1 })}</strong> {t(`differences.${difference.type}`)}
          </p>
          {place && <p className={styles.place}>{place.name}</p>}
          {difference.type !== 'unreached' && (
            <dl>
              <dt>{t('expected')}</dt>
              <dd>{difference.expected}</dd>
              <dt>{t('actual')}</dt>
              <dd>{difference.actual}</dd>
            </dl>
          )}
        </div>
      )}
      <div className={styles.actions}>
        {place && (
          <Button size="s" icon={<Crosshair size={13} />} onClick={() => onShow(place)}>
            {t('show')}
          </Button>
        )}
        {difference && !readOnly && (
          <Button
            size="s"
            icon={<Check size={13} />}
            loading={accept.isPending}
            onClick={() =>
              void whenSaved().then(() =>
                accept.mutate(test.gid, {
                  onSuccess: onAccepted,
                  onError: (error) => notify.error(failureText(error, t('changeFailed'))),
                }),
              )
            }
          >
            {t('accept')}
          </Button>
        )}
        {!readOnly && (
          <span className={styles.small}>
            <IconButton size="s" label={t('rename')} icon={<Pencil size={13} />} onClick={() => setAsking('rename')} />
            <IconButton size="s" label={t('delete')} icon={<Trash2 size={13} />} onClick={() => setAsking('delete')} />
          </span>
        )}
      </div>
      <NameDialog
        opened={asking === 'rename'}
        title={t('rename')}
        label={t('name')}
        submit={t('renameSubmit')}
        initial={test.name}
        maxLength={recordingCaps.name}
        loading={rename.isPending}
        error={rename.error ? failureText(rename.error, t('changeFailed')) : undefined}
        onSubmit={(name) => rename.mutate({ gid: test.gid, name }, { onSuccess: close })}
        onClose={close}
      />
      <ConfirmDialog
        opened={asking === 'delete'}
        danger
        title={t('delete')}
        message={t('deleteQuestion', { name: test.name })}
        confirm={t('delete')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, t('changeFailed')) : undefined}
        onConfirm={() => remove.mutate(test.gid)}
        onClose={close}
      />
    </div>
  )
}
