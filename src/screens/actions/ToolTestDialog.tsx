import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolServer } from '../../../server/contracts/tool-servers'
import { failureText } from '../../api/failure'
import { useToolServerChanges } from '../../api/toolServers'
import { ActSwitch } from '../../testEffects/ActSwitch'
import { EffectList } from '../../testEffects/EffectCard'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { TextArea } from '../../ui/TextArea'
import styles from './toolServers.module.css'

interface ToolTestDialogProps {
  pgid: string
  cgid: string
  server: ToolServer
  tool: ToolServer['tools'][number]
  onClose: () => void
}

/** Calls a tool with arguments entered by hand, and shows its result. */
export function ToolTestDialog({ pgid, cgid, server, tool, onClose }: ToolTestDialogProps) {
  const { t } = useTranslation('toolServers')
  const { t: common } = useTranslation()
  const { test } = useToolServerChanges(pgid, cgid)
  const [text, setText] = useState(() => JSON.stringify(emptyArguments(tool.schema), null, 2))
  const [acts, setActs] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readObject(text)
    setProblem('problem' in read ? t('test.notJson', { problem: read.problem }) : null)
    if ('value' in read)
      test.mutate({ gid: server.gid, tool: tool.name, arguments: read.value, ...(acts && { carry_out: true }) })
  }
  const failure = test.error ? failureText(test.error, common('errors.message')) : null
  return (
    <Modal opened onClose={onClose} title={t('test.title', { tool: tool.title })} size="lg">
      <form onSubmit={submit} className={styles.form} noValidate>
        <ModalText>{t(tool.reads_only ? 'test.reads' : 'test.hint')}</ModalText>
        {!tool.reads_only && <ActSwitch on={acts} onChange={setActs} />}
        <TextArea
          label={t('test.arguments')}
          value={text}
          minRows={3}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: styles.code ?? '' }}
          error={problem ?? failure ?? undefined}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <details className={styles.tools}>
          <summary>{t('test.wants')}</summary>
          <pre className={styles.result}>{JSON.stringify(tool.schema, null, 2)}</pre>
        </details>
        {test.data && (
          <section aria-live="polite">
            <p>{t(test.data.ok ? 'test.ok' : 'test.failed', { ms: test.data.ms })}</p>
            {test.data.effect && <EffectList effects={[test.data.effect]} />}
            <pre className={styles.result}>
              {typeof test.data.result === 'string' ? test.data.result : JSON.stringify(test.data.result, null, 2)}
            </pre>
          </section>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.close')}</Button>
          <Button type="submit" design="primary" loading={test.isPending}>
            {t('test.run')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}

function readObject(text: string): { value: Record<string, never> } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: value as Record<string, never> }
      : { problem: text.slice(0, 80) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : text.slice(0, 80) }
  }
}

/** The names in its schema, with empty values. */
function emptyArguments(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type } = { type: 'string' }]) => [name, blanks[String(type)] ?? '']),
  )
}
const blanks: Record<string, unknown> = { number: 0, integer: 0, boolean: false, array: [], object: {} }
