import { RotateCcw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlaygroundDebug, TestVisit } from '../../server/api/playground/contract'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import type { ChatSession } from '../widget/conversation'
import { mountChat } from '../widget/mount'
import { Inspector, type Step, type StepNames } from './Inspector'
import { KeepTest } from './KeepTest'
import css from './PreviewPane.module.css'
import { createPlaygroundTransport, type Draft } from './playgroundTransport'
import { StartAs } from './StartAs'

export interface PreviewPaneProps extends Draft {
  name: string
  /** identity of the draft's content: another one than at the start offers to start again */
  draft: unknown
  /** resolves once the last edits are on the server */
  whenSaved: () => Promise<void>
  /** what a step is called; null when its block is gone */
  describe: (step: Step) => StepNames | null
  /** what ran so far, for the canvas; null while nothing did */
  onDebug: (debug: PlaygroundDebug | null) => void
  /** brings a block into view */
  onShow: (place: { flowId: string | null; blockId: string }) => void
  /** the test waits in a flow that is not open */
  elsewhere: { title: string; onOpen: () => void } | null
  onClose: () => void
}

/** The draft as a visitor would get it, run on the server, with what went on inside. */
export default function PreviewPane(props: PreviewPaneProps) {
  const { pgid, cgid, fid, draft, describe, onShow, elsewhere, onClose } = props
  const { t, i18n } = useTranslation('preview')
  const [debug, setDebug] = useState<PlaygroundDebug | null>(null)
  const [conversation, setConversation] = useState<string | null>(null)
  const [visit, setVisit] = useState<TestVisit>({})
  const visitor = useRef(visit)
  const started = useRef<unknown>(null)
  const session = useRef<ChatSession | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const element = place.current
    if (!element) return
    const transport = createPlaygroundTransport(
      { pgid, cgid, fid },
      (next, id) => {
        setConversation(id)
        if (!next) started.current = latest.current.draft
        setDebug(next)
        latest.current.onDebug(next)
      },
      async () => {
        await latest.current.whenSaved()
        started.current = latest.current.draft
      },
      () => visitor.current,
    )
    const chat = mountChat(element, {
      transport,
      name: latest.current.name,
      language: i18n.language,
      header: false,
      mayLeave: false,
    })
    session.current = chat.session
    return () => {
      chat.unmount()
      latest.current.onDebug(null)
    }
  }, [pgid, cgid, fid, i18n.language])

  const restart = () => void session.current?.restart()
  const isStale = debug !== null && started.current !== draft
  return (
    <section className={css.pane} aria-label={t('title')}>
      <header className={css.header}>
        <h2>{t('title')}</h2>
        <StartAs
          visit={visit}
          onStart={(next) => {
            visitor.current = next
            setVisit(next)
            restart()
          }}
        />
        <KeepTest pgid={pgid} cgid={cgid} conversation={conversation} />
        <IconButton label={t('restart')} icon={<RotateCcw size={15} />} onClick={restart} />
        <IconButton label={t('close')} icon={<X size={16} />} onClick={onClose} />
      </header>
      {isStale && (
        <p className={css.stale} role="status">
          <span>{t('changed')}</span>
          <Button size="s" design="bordered" onClick={restart}>
            {t('restart')}
          </Button>
        </p>
      )}
      {elsewhere && (
        <p className={css.elsewhere} role="status">
          <span>{t('elsewhere', { title: elsewhere.title })}</span>
          <Button size="s" design="bordered" onClick={elsewhere.onOpen}>
            {t('openFlow')}
          </Button>
        </p>
      )}
      {debug?.stopped && (
        <p className={css.stopped} role="alert">
          <span>{t(`stopped.${debug.stopped.reason}`)}</span>
          <Button size="s" design="bordered" onClick={() => debug.stopped && onShow(debug.stopped.at)}>
            {t('showStop')}
          </Button>
        </p>
      )}
      <div className={css.chat} ref={place} />
      <Inspector debug={debug} describe={describe} onShow={onShow} />
    </section>
  )
}
