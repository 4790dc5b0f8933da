import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Ellipsis, FileUp, FlaskConical, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportTests } from '../../../../server/contracts/recordings'
import { callRoute } from '../../../api/client'
import { failureText } from '../../../api/failure'
import { runAllTests, testsQuery, useTestChanges } from '../../../api/tests'
import { useEditor, useProjection } from '../../../canvas/context'
import { Button } from '../../../ui/Button'
import { downloadText } from '../../../ui/downloadText'
import { EmptyState } from '../../../ui/EmptyState'
import { ErrorCard } from '../../../ui/ErrorCard'
import { IconButton } from '../../../ui/IconButton'
import { LoadingState } from '../../../ui/LoadingState'
import { Menu, MenuEntry } from '../../../ui/Menu'
import { notify } from '../../../ui/notify'
import { useBuilder } from '../builderContext'
import { PanelHeader } from './PanelHeader'
import { TestCoverage } from './TestCoverage'
import { TestRow } from './TestRow'
import styles from './TestsPanel.module.css'

/** The kept conversations, their results with the draft, and their coverage. */
export function TestsPanel({ onClose }: { onClose: () => void }) {
  const { pgid, chatbot, whenSaved, showPlace: onShow } = useBuilder()
  const { gid: cgid, slug } = chatbot
  const { t } = useTranslation('tests')
  const { readOnly } = useEditor()
  const tests = useQuery(testsQuery(pgid, cgid))
  const draft = useProjection((whole) => whole)
  const { bringIn } = useTestChanges(pgid, cgid)
  const file = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<string | null>(null)
  const run = useMutation({
    mutationFn: async () => {
      await whenSaved()
      return { ...(await runAllTests(pgid, cgid)), draft }
    },
    onSuccess: ({ results }) => setOpen(results.find(({ difference }) => difference)?.gid ?? null),
  })
  const list = tests.data ?? []
  const results = new Map(run.data?.results.map((result) => [result.gid, result]))
  const changed = run.data?.results.filter(({ difference }) => difference).length ?? 0

  const save = async () => {
    const answer = await callRoute(exportTests, { params: { pgid, cgid } })
    downloadText(answer.file, `${slug}.tests.json`)
  }
  const read = (chosen: File | undefined) =>
    chosen &&
    bringIn.mutate(chosen, {
      onSuccess: ({ added }) => notify.success(t('imported', { count: added })),
      onError: (error) => notify.error(failureText(error, t('importFailed'))),
    })
  return (
    <>
      <PanelHeader
        title={t('title')}
        close={t('close')}
        onClose={onClose}
        actions={
          <>
            <Button
              size="s"
              design="primary"
              icon={<Play size={13} />}
              disabled={list.length === 0}
              loading={run.isPending}
              onClick={() => run.mutate()}
            >
              {t('run')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <IconButton size="s" label={t('more')} icon={<Ellipsis size={15} />} />
              </Menu.Target>
              <Menu.Dropdown>
                <MenuEntry
                  leftSection={<Download size={14} />}
                  disabled={list.length === 0}
                  onClick={() => void save().catch((error) => notify.error(failureText(error, t('exportFailed'))))}
                >
                  {t('export')}
                </MenuEntry>
                {!readOnly && (
                  <MenuEntry leftSection={<FileUp size={14} />} onClick={() => file.current?.click()}>
                    {t('import')}
                  </MenuEntry>
                )}
              </Menu.Dropdown>
            </Menu>
            <input
              ref={file}
              type="file"
              accept=".json,application/json"
              hidden
              aria-label={t('import')}
              onChange={(event) => {
                read(event.currentTarget.files?.[0])
                event.currentTarget.value = ''
              }}
            />
          </>
        }
      >
        <p className={styles.hint}>{t('help')}</p>
      </PanelHeader>
      <div className={styles.body}>
        {tests.isPending && <LoadingState rows={3} height={36} />}
        {tests.isError && (
          <ErrorCard
            message={failureText(tests.error, t('loadFailed'))}
            action={{ label: t('again'), onClick: () => void tests.refetch() }}
          />
        )}
        {tests.data?.length === 0 && (
          <EmptyState icon={<FlaskConical size={20} />} title={t('none')} message={t('noneHint')} />
        )}
        <div role="status" className={styles.summary} data-changed={changed > 0 || undefined}>
          {run.isPending && t('running', { count: list.length })}
          {run.data &&
            !run.isPending &&
            (changed > 0
              ? t('someChanged', { changed, count: run.data.results.length })
              : t('allSame', { count: run.data.results.length }))}
          {run.data && run.data.draft !== draft && ` ${t('stale')}`}
        </div>
        {run.error && (
          <p role="alert" className={styles.error}>
            {failureText(run.error, t('runFailed'))}
          </p>
        )}
        <ul className={styles.list}>
          {list.map((test) => (
            <TestRow
              key={test.gid}
              pgid={pgid}
              cgid={cgid}
              test={test}
              result={results.get(test.gid)}
              open={open === test.gid}
              onToggle={() => setOpen(open === test.gid ? null : test.gid)}
              onAccepted={() => run.mutate()}
              whenSaved={whenSaved}
              onShow={onShow}
            />
          ))}
        </ul>
        {run.data && list.length > 0 && <TestCoverage coverage={run.data.coverage} onShow={onShow} />}
      </div>
    </>
  )
}
