import { useQuery } from '@tanstack/react-query'
import { Layers, LayoutTemplate, PenLine, Play } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INSTRUCTIONS_CAP, type Instructions } from '../../../server/contracts/instructions'
import { useCan } from '../../api/account'
import { aiSettingsQuery } from '../../api/ai'
import { failureText } from '../../api/failure'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { LeaveGuard } from '../../ui/LeaveGuard'
import { PageTitle } from '../../ui/PageTitle'
import { Segmented } from '../../ui/Segmented'
import { ConflictDialog } from './ConflictDialog'
import { HistoryDialog } from './HistoryDialog'
import styles from './instructions.module.css'
import { LiveTest } from './LiveTest'
import { TemplatesDialog } from './TemplatesDialog'
import { type Draft, useDraft } from './useDraft'

interface InstructionsEditorProps {
  pgid: string
  cgid: string
  saved: Instructions
}

export function InstructionsEditor({ pgid, cgid, saved }: InstructionsEditorProps) {
  const { t } = useTranslation('instructions')
  const draft = useDraft(pgid, cgid, saved)
  const mayUpdate = useCan('instructions.update')
  const [open, setOpen] = useState<'templates' | 'history' | null>(null)
  const [side, setSide] = useState<'write' | 'test'>('write')
  const close = () => setOpen(null)
  useSaveKey(draft.save)
  return (
    <div className={styles.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={styles.header}>
        <h1 className={styles.title}>{t('title')}</h1>
        <span role="status" className={styles.state}>
          <SaveState draft={draft} everSaved={saved.versions.length > 0} />
        </span>
        <span className={styles.space} />
        <Button size="s" icon={<Layers />} aria-label={t('history.open')} onClick={() => setOpen('history')}>
          <span className={styles.word}>{t('history.open')}</span>
        </Button>
        {mayUpdate && (
          <Button
            size="s"
            design="primary"
            disabled={!draft.changed || draft.tooLong}
            loading={draft.saving}
            onClick={draft.save}
          >
            {t('save')}
          </Button>
        )}
      </header>
      <Segmented
        className={styles.switch}
        label={t('sides.label')}
        value={side}
        options={[
          { value: 'write', label: <SideName icon={<PenLine size={14} />} name={t('sides.write')} /> },
          { value: 'test', label: <SideName icon={<Play size={14} />} name={t('sides.test')} /> },
        ]}
        onChange={setSide}
      />
      <div className={styles.sides} data-shown={side}>
        <section className={styles.write} aria-label={t('sides.write')}>
          <Notices draft={draft} saved={saved} />
          <FollowedByNobody pgid={pgid} cgid={cgid} />
          <div className={styles.paper}>
            <textarea
              className={styles.editor}
              aria-label={t('field')}
              aria-describedby="instructions-count"
              aria-invalid={draft.tooLong || undefined}
              placeholder={t('placeholder')}
              value={draft.text}
              readOnly={!mayUpdate}
              onChange={(event) => draft.write(event.currentTarget.value)}
            />
            <footer className={styles.foot}>
              {mayUpdate && (
                <Button size="s" design="ghost" icon={<LayoutTemplate />} onClick={() => setOpen('templates')}>
                  {t('templates.open')}
                </Button>
              )}
              <span className={styles.space} />
              <span id="instructions-count" className={styles.count} data-over={draft.tooLong || undefined}>
                {t('count', { length: formatNumber(draft.text.length), max: formatNumber(INSTRUCTIONS_CAP) })}
              </span>
            </footer>
          </div>
        </section>
        <LiveTest pgid={pgid} cgid={cgid} text={draft.text} unsaved={draft.changed} tooLong={draft.tooLong} />
      </div>
      {open === 'templates' && <TemplatesDialog pgid={pgid} cgid={cgid} draft={draft} onClose={close} />}
      {open === 'history' && <HistoryDialog saved={saved} draft={draft} readOnly={!mayUpdate} onClose={close} />}
      {draft.conflict && <ConflictDialog saved={saved} draft={draft} />}
      <LeaveGuard
        isUnsaved={() => draft.changed && mayUpdate}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </div>
  )
}

/** Ctrl-S saves, wherever the focus is. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const SideName = ({ icon, name }: { icon: ReactNode; name: string }) => (
  <>
    {icon} {name}
  </>
)

function SaveState({ draft: { changed, saving }, everSaved }: { draft: Draft; everSaved: boolean }) {
  const { t } = useTranslation('instructions')
  if (saving) return <Badge dot>{t('state.saving')}</Badge>
  if (changed)
    return (
      <Badge dot tone="warning">
        {t('state.unsaved')}
      </Badge>
    )
  return everSaved ? (
    <Badge dot tone="success">
      {t('state.saved')}
    </Badge>
  ) : null
}

/** The model that only quotes sources. */
const BUILT_IN = 1

/** A notice if the chatbot's model ignores instructions, since it only quotes sources. */
function FollowedByNobody({ pgid, cgid }: { pgid: string; cgid: string }) {
  const { t } = useTranslation('instructions')
  const { data } = useQuery({ ...aiSettingsQuery(pgid, cgid), enabled: useCan('ai.view') })
  if (data?.settings.model_id !== BUILT_IN) return null
  return (
    <p className={styles.notice} data-tone="neutral">
      <span>{t('builtIn.message')}</span>
      <Button size="s" to={`/projects/${pgid}/chatbots/${cgid}/settings/ai`}>
        {t('builtIn.open')}
      </Button>
    </p>
  )
}

function Notices({ draft, saved }: { draft: Draft; saved: Instructions }) {
  const { t } = useTranslation('instructions')
  const { t: common } = useTranslation()
  const by = saved.versions[0]?.by ?? t('somebody')
  return (
    <>
      {draft.overtaken && (
        <p role="alert" className={styles.notice}>
          <span>{t('conflict.notice', { by })}</span>
          <Button size="s" onClick={draft.openConflict}>
            {t('conflict.compare')}
          </Button>
        </p>
      )}
      {draft.setAside !== null && (
        <p role="status" className={styles.notice}>
          <span>{t('conflict.aside', { by })}</span>
          <Button size="s" onClick={draft.bringBack}>
            {t('conflict.bringBack')}
          </Button>
        </p>
      )}
      {draft.tooLong && (
        <p role="alert" className={styles.notice} data-tone="danger">
          {t('tooLong', {
            max: formatNumber(INSTRUCTIONS_CAP),
            over: formatNumber(draft.text.length - INSTRUCTIONS_CAP),
          })}
        </p>
      )}
      {draft.error !== null && (
        <p role="alert" className={styles.notice} data-tone="danger">
          <span>{failureText(draft.error, common('errors.message'))}</span>
          <Button size="s" onClick={draft.save}>
            {common('actions.retry')}
          </Button>
        </p>
      )}
    </>
  )
}
