import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Copy, ExternalLink, Rocket } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { publishFlow, unpublishFlow } from '../../../server/contracts/flows'
import { versionCaps } from '../../../server/contracts/versions'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { useShareLink } from '../../api/shareLink'
import { runAllTests } from '../../api/tests'
import { useVersionChanges } from '../../api/versions'
import { useProvideActions } from '../../canvas/actionRegistry'
import { useFlowStatus } from '../../collab/useFlow'
import { OPEN_PUBLISH } from '../../palette/useAppRows'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { Popover } from '../../ui/Popover'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import header from './BuilderHeader.module.css'
import { useBuilder } from './builderContext'
import styles from './PublishButton.module.css'
import { PublishChanges, PublishProblems, usePublishCheck } from './PublishState'

/**
 * Publishes the draft and shows what is public: version, time, and link; unpublished changes, and problems.
 * @param onShowTests opens the panel of tests
 */
export function PublishButton({ onShowTests }: { onShowTests: () => void }) {
  const { pgid, chatbot } = useBuilder()
  const { t, i18n } = useTranslation(['builder', 'versions'])
  const [opened, setOpened] = useState(false)
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (state?.open !== OPEN_PUBLISH.open) return
    setOpened(true)
    // once: not when returning to the page
    void navigate({ pathname, search }, { replace: true, state: null })
  }, [state, pathname, search, navigate])
  useProvideActions(
    useMemo(() => [{ id: 'publish', section: 'flow', writes: true, icon: Rocket, run: () => setOpened(true) }], []),
  )
  const [asking, setAsking] = useState(false)
  const saved = useFlowStatus() === 'saved'
  const [name, setName] = useState('')
  const [notes, setNotes] = useState('')
  const { reread } = useVersionChanges(pgid, chatbot.gid)
  const check = usePublishCheck(opened && saved)
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  const publish = useMutation({
    mutationFn: () => callRoute(publishFlow, { params, body: { name, notes } }),
    onSuccess: ({ version }) => {
      notify.success(t('publish.done', { version: version.number }))
      setName('')
      setNotes('')
      return reread()
    },
    // an error that another editor has just made
    onError: () => check.refetch(),
  })
  const unpublish = useMutation({
    mutationFn: () => callRoute(unpublishFlow, { params }),
    onSuccess: () => {
      setAsking(false)
      publish.reset()
      return reread()
    },
  })
  /** only a warning: it neither delays publishing nor matters if it can't be loaded */
  const { data: run } = useQuery({
    queryKey: ['testRun', pgid, chatbot.gid],
    queryFn: ({ signal }) => runAllTests(pgid, chatbot.gid, signal),
    enabled: opened && saved,
    gcTime: 0,
    retry: false,
  })
  const changed = run?.results.filter(({ difference }) => difference).length ?? 0
  const { published } = chatbot
  const link = useShareLink(chatbot)
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} shadow="lg" trapFocus returnFocus>
        <Popover.Target>
          <Button
            data-tour="publish"
            className={header.compact}
            design="primary"
            icon={<Rocket size={14} />}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t('header.publish')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('publish.title')} className={styles.card}>
          <h2>{t('publish.title')}</h2>
          {published ? (
            <>
              <p>
                {t('publish.published', {
                  version: published.version,
                  by: published.by,
                  when: new Date(published.at).toLocaleString(i18n.language, {
                    dateStyle: 'medium',
                    timeStyle: 'short',
                  }),
                })}
              </p>
              <ShareLink link={link} />
              <PublishChanges enabled={opened && saved} onLeave={() => setOpened(false)} />
            </>
          ) : (
            <p>{t('publish.never')}</p>
          )}
          {!saved && <p role="status">{t('publish.unsaved')}</p>}
          {check.data && <PublishProblems check={check.data} onLeave={() => setOpened(false)} />}
          {changed > 0 && (
            <p className={styles.tests} role="status">
              {t('publish.tests', { count: changed })}
              <Button
                size="s"
                onClick={() => {
                  setOpened(false)
                  onShowTests()
                }}
              >
                {t('publish.showTests')}
              </Button>
            </p>
          )}
          {publish.error && (
            <p className={styles.error} role="alert">
              {failureText(publish.error, t('publish.failed'))}
            </p>
          )}
          <div className={styles.about}>
            <TextField
              label={t('versions:publish.name')}
              placeholder={t('versions:publish.namePlaceholder')}
              maxLength={versionCaps.name}
              value={name}
              // a disabled button would lose the focus, and Escape with it
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextArea
              label={t('versions:publish.notes')}
              maxLength={versionCaps.notes}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
          </div>
          <div className={styles.actions}>
            {published && (
              <Button design="ghost" onClick={() => setAsking(true)}>
                {t('publish.unpublish')}
              </Button>
            )}
            <Button
              design="primary"
              loading={publish.isPending}
              disabled={!saved || (check.data?.error_count ?? 0) > 0}
              onClick={() => publish.mutate()}
            >
              {t(published ? 'publish.again' : 'publish.now')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('publish.unpublish')}
        message={t('publish.unpublishQuestion')}
        confirm={t('publish.unpublishConfirm')}
        loading={unpublish.isPending}
        error={unpublish.error ? failureText(unpublish.error, t('publish.failed')) : undefined}
        onConfirm={() => unpublish.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function ShareLink({ link }: { link: string }) {
  const { t } = useTranslation('builder')
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    // without https there is no clipboard: the link is selected for copying by hand
    if (navigator.clipboard) await navigator.clipboard.writeText(link)
    else field.current?.focus()
    setCopied(navigator.clipboard !== undefined)
  }
  return (
    <div className={styles.link}>
      <input
        ref={field}
        readOnly
        value={link}
        aria-label={t('publish.link')}
        onFocus={(event) => event.currentTarget.select()}
      />
      <IconButton
        size="s"
        label={t(copied ? 'publish.copied' : 'publish.copy')}
        icon={copied ? <Check size={14} /> : <Copy size={14} />}
        onClick={() => void copy()}
      />
      <a href={link} target="_blank" rel="noreferrer" aria-label={t('publish.open')} className={styles.open}>
        <ExternalLink size={14} />
      </a>
    </div>
  )
}
