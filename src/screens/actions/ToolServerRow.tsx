import { Ellipsis, KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolServer } from '../../../server/contracts/tool-servers'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { useToolServerChanges } from '../../api/toolServers'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import styles from './toolServers.module.css'

export type Asked =
  | { what: 'token' | 'remove'; server: ToolServer }
  | { what: 'try'; server: ToolServer; tool: ToolServer['tools'][number] }

interface ToolServerRowProps {
  pgid: string
  cgid: string
  server: ToolServer
  onAsk: (asked: Asked) => void
}

/** An MCP server, a switch for it, and its tools. */
export function ToolServerRow({ pgid, cgid, server, onAsk }: ToolServerRowProps) {
  const { t } = useTranslation('toolServers')
  const { t: common } = useTranslation()
  const mayChange = useCan('actions.update')
  const mayTest = useCan('actions.test')
  const { change, refresh } = useToolServerChanges(pgid, cgid)
  const { gid, name, url, tools, enabled, problem } = server
  const onError = (error: unknown) => notify.error(failureText(error, common('errors.message')))
  const used = tools.filter((tool) => tool.enabled)
  const setTool = (tool: string, on: boolean) => {
    const off = tools.filter((each) => (each.name === tool ? !on : !each.enabled)).map((each) => each.name)
    change.mutate({ gid, off }, { onError })
  }
  return (
    <li className={styles.server}>
      <div className={styles.head}>
        <Switch
          checked={enabled}
          disabled={!mayChange || change.isPending}
          aria-label={t('enabled', { name })}
          onChange={(event) => change.mutate({ gid, enabled: event.currentTarget.checked }, { onError })}
        />
        <div className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.address}>{url}</span>
        </div>
        {mayChange && (
          <Menu position="bottom-end" width={230}>
            <Menu.Target>
              <IconButton size="s" label={t('more', { name })} icon={<Ellipsis />} tooltip={false} />
            </Menu.Target>
            <Menu.Dropdown>
              <MenuEntry leftSection={<RefreshCw size={15} />} onClick={() => refresh.mutate(gid, { onError })}>
                {t('refresh')}
              </MenuEntry>
              <MenuEntry leftSection={<KeyRound size={15} />} onClick={() => onAsk({ what: 'token', server })}>
                {t('token')}
              </MenuEntry>
              <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={() => onAsk({ what: 'remove', server })}>
                {t('remove')}
              </MenuEntry>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
      <details className={styles.tools}>
        <summary>
          {t('tools', { count: tools.length })} · {t('on', { on: used.length, count: tools.length })}
        </summary>
        <ul aria-label={t('show', { name })}>
          {tools.map((tool) => (
            <li key={tool.name} className={styles.tool}>
              <Switch
                size="xs"
                checked={tool.enabled}
                disabled={!mayChange || change.isPending}
                aria-label={t('useTool', { tool: tool.title })}
                onChange={(event) => setTool(tool.name, event.currentTarget.checked)}
              />
              <div className={styles.words}>
                <span>{tool.title}</span>
                <span className={styles.does}>{tool.description}</span>
              </div>
              {mayTest && (
                <Button
                  size="s"
                  aria-label={t('tryTool', { tool: tool.title })}
                  onClick={() => onAsk({ what: 'try', server, tool })}
                >
                  {t('try')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
