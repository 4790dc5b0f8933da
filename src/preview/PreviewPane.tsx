import { RotateCcw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { TestVisit } from '../../server/contracts/playground'
import { serverWatch } from '../api/serverWatch'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { IconButton } from '../ui/IconButton'
import type { ChatSession } from '../widget/conversation'
import { type MountedChat, mountChat } from '../widget/mount'
import { ActNotice } from './ActForReal'
import { Controls } from './Controls'
import { EffectNotes } from './EffectNotes'
import { Inspector } from './Inspector'
import { KeepTest } from './KeepTest'
import { LookSwitch } from './LookSwitch'
import { Notices } from './Notices'
import css from './PreviewPane.module.css'
import { createPlaygroundTransport } from './playgroundTransport'
import type { PreviewPaneProps } from './previewPaneProps'
import { StartAs } from './StartAs'
import { TalkIn } from './TalkIn'
import { useDrawnLook } from './useDrawnLook'
import { WhatsAppChat } from './whatsapp/WhatsAppChat'

/** The draft as a visitor would get it, run on the server, with the debugger. */
export default function PreviewPane(props: PreviewPaneProps) {
  const { bug, draft, describe, nameOf, variablesOf, onShow, elsewhere, onClose } = props
  const { t } = useTranslation('preview')
  const debug = useStore(bug.store, (state) => state.debug)
  const [visit, setVisit] = useState<TestVisit>({})
  const visitor = useRef(visit)
  const [startedWith, setStartedWith] = useState<unknown>(null)
  const [session, setSession] = useState<ChatSession | null>(null)
  const [dropping, setDropping] = useState<((may: boolean) => void) | null>(null)
  const look = useStore(bug.store, (state) => state.look)
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props

  const drawn = useDrawnLook()
  const mounted = useRef<MountedChat>(null)
  const latestLook = useRef(drawn)
  latestLook.current = drawn
  useEffect(() => mounted.current?.draw({ name: latest.current.name, ...drawn }), [drawn])

  useEffect(() => {
    const element = place.current
    if (!element) return
    const chat = mountChat(element, {
      transport: createPlaygroundTransport(bug, () => t('past.notSent')),
      name: latest.current.name,
      header: false,
      mayLeave: false,
      opensAtOnce: false,
      ...latestLook.current,
    })
    mounted.current = chat
    const detach = bug.attach({
      session: chat.session,
      async ready() {
        await latest.current.whenSaved()
        setStartedWith(latest.current.draft)
      },
      visit: () => visitor.current,
      variablesOf(flowId) {
        const variables = latest.current.variablesOf(flowId)
        return variables && new Set(variables.map(({ id }) => id))
      },
      mayDrop: () => new Promise((resolve) => setDropping(() => resolve)),
    })
    setSession(chat.session)
    void chat.session.open()
    const stopWatching = serverWatch.onReturn(() => {
      if (chat.session.state().phase === 'failed') void chat.session.open()
    })
    return () => {
      mounted.current = null
      stopWatching()
      detach()
      chat.unmount()
    }
  }, [bug, t])

  // messages that arrived while the web look was hidden did not scroll
  useEffect(() => {
    const log = look === 'whatsapp' ? null : place.current?.querySelector('[role="log"]')
    if (log) log.scrollTop = log.scrollHeight
  }, [look])

  const start = (next: TestVisit) => {
    visitor.current = next
    setVisit(next)
    bug.restart()
  }
  const isStale = debug !== null && startedWith !== draft
  const answer = (may: boolean) => {
    dropping?.(may)
    setDropping(null)
  }
  return (
    <section className={css.pane} aria-label={t('title')}>
      <header className={css.header}>
        <h2>{t('title')}</h2>
        <StartAs visit={visit} onStart={start} />
        <KeepTest bug={bug} />
        <IconButton label={t('restart')} icon={<RotateCcw size={15} />} onClick={bug.restart} />
        <IconButton label={t('close')} icon={<X size={16} />} onClick={onClose} />
      </header>
      <div className={css.tools}>
        <Controls bug={bug} />
        <LookSwitch bug={bug} />
        {props.languages && (
          <TalkIn
            languages={props.languages}
            spoken={visit.language}
            onChange={(language) => start({ ...visit, language })}
          />
        )}
      </div>
      <ActNotice bug={bug} />
      {isStale && (
        <p className={css.stale} role="status">
          <span>{t('changed')}</span>
          <Button size="s" design="bordered" onClick={bug.restart}>
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
      <Notices bug={bug} nameOf={nameOf} variablesOf={variablesOf} onShow={onShow} />
      {session && <EffectNotes bug={bug} session={session} />}
      <div className={css.chats} data-look={look}>
        <div className={css.chat} ref={place} hidden={look === 'whatsapp'} />
        {look !== 'web' && session && <WhatsAppChat session={session} bug={bug} name={props.name} />}
      </div>
      <Inspector bug={bug} describe={describe} nameOf={nameOf} onShow={onShow} />
      <ConfirmDialog
        opened={dropping !== null}
        title={t('past.title')}
        message={t('past.message')}
        confirm={t('past.confirm')}
        danger
        onConfirm={() => answer(true)}
        onClose={() => answer(false)}
      />
    </section>
  )
}
