import { Cloud, CloudAlert, CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { resetAccount } from '../../api/account'
import { useEditor } from '../../canvas/context'
import { useFlow, useFlowState, useFlowStatus, useOfflineState } from '../../collab/useFlow'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Popover } from '../../ui/Popover'
import styles from './SaveState.module.css'

type Saving = 'connecting' | 'saved' | 'saving' | 'sending' | 'offline' | 'kept' | 'unkept' | 'refused'

const looks: Record<Saving, { Icon: typeof Cloud; tone: 'calm' | 'away' | 'bad' }> = {
  connecting: { Icon: Cloud, tone: 'calm' },
  saved: { Icon: CloudCheck, tone: 'calm' },
  saving: { Icon: Cloud, tone: 'calm' },
  sending: { Icon: CloudUpload, tone: 'calm' },
  offline: { Icon: CloudOff, tone: 'away' },
  kept: { Icon: CloudOff, tone: 'away' },
  unkept: { Icon: CloudOff, tone: 'bad' },
  refused: { Icon: CloudAlert, tone: 'bad' },
}

/**
 * Whether all edits are stored, and where if not; announced politely. Opens the details.
 * @param onRescue shows options for edits that can't be sent
 */
export function SaveState({ onRescue }: { onRescue: (() => void) | null }) {
  const { t } = useTranslation('offline')
  const { readOnly } = useEditor()
  const saving = useSaving()
  const unsent = useOfflineState((state) => state.unsent)
  const [opened, setOpened] = useState(false)
  const { Icon, tone } = looks[saving]
  const count = unsent?.edits ?? 0
  // a viewer has nothing to save
  if (readOnly && saving === 'saved' && !onRescue) return null
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={300} shadow="lg" returnFocus>
      {/* the text inside is announced */}
      <div role="status" className={styles.status} data-tone={tone} data-status={saving}>
        <Popover.Target>
          <button
            type="button"
            className={styles.button}
            data-count={count && tone !== 'calm' ? count : undefined}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <Icon size={15} aria-hidden />
            <span className={styles.text}>{t(`short.${saving}`, { count })}</span>
          </button>
        </Popover.Target>
      </div>
      <Popover.Dropdown aria-label={t('details.label')} className={styles.card}>
        <Details saving={saving} onRescue={onRescue} />
      </Popover.Dropdown>
    </Popover>
  )
}

function useSaving(): Saving {
  const status = useFlowStatus()
  const unsent = useOfflineState((state) => state.unsent !== null)
  const keeping = useOfflineState((state) => state.keeping)
  const returning = useOfflineState((state) => state.returning)
  if (status === 'saving' && returning) return 'sending'
  if (status !== 'offline' || !unsent) return status
  return keeping === 'refused' ? 'unkept' : 'kept'
}

function Details({ saving, onRescue }: { saving: Saving; onRescue: (() => void) | null }) {
  const { t } = useTranslation(['offline', 'builder'])
  const { connect } = useFlow()
  const navigate = useNavigate()
  const { readOnly } = useEditor()
  const unsent = useOfflineState((state) => state.unsent)
  const keeping = useOfflineState((state) => state.keeping)
  const refusal = useFlowState((state) => state.refusal)
  const obstacle = useFlowState((state) => state.obstacle)
  const [trying, setTrying] = useState<'now' | 'failed' | null>(null)
  const offline = saving === 'offline' || saving === 'kept' || saving === 'unkept'
  const words = unsent && { count: unsent.edits, since: formatMoment(new Date(unsent.since)) }
  const tryNow = async () => {
    setTrying('now')
    setTrying((await connect()) ? null : 'failed')
  }
  const logIn = () => {
    const here = location.pathname + location.search
    resetAccount('all')
    void navigate(`/login?next=${encodeURIComponent(here)}`)
  }
  const text = () => {
    if (refusal === 'logged-out' && words && keeping === 'all') return t('details.loggedOutKept', words)
    if (refusal) return t(`builder:refusal.${refusal}`)
    if (saving === 'refused') return t('builder:rights.lowered')
    if (obstacle && offline) return t(`builder:obstacle.${obstacle}`)
    if (saving === 'offline' && readOnly) return t('details.offlineReading')
    return t(`details.${saving}`, words ?? {})
  }
  return (
    <>
      <p>{text()}</p>
      {offline && keeping === 'all' && <p className={styles.faint}>{t('details.again')}</p>}
      {trying === 'failed' && offline && <p role="status">{t('details.failed')}</p>}
      {offline && (
        <Button size="s" loading={trying === 'now'} onClick={() => void tryNow()}>
          {t('details.try')}
        </Button>
      )}
      {refusal === 'logged-out' && (
        <Button size="s" onClick={logIn}>
          {t('details.logIn')}
        </Button>
      )}
      {onRescue && (
        <Button size="s" onClick={onRescue}>
          {t('details.rescue')}
        </Button>
      )}
    </>
  )
}
