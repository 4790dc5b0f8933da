import type { Peer } from '../../collab/peerState'
import type { Present } from '../../collab/presence'
import type { CanvasStore } from '../canvasStore'

/** Whether one client follows another, directly or indirectly. */
export function leadsTo(peers: ReadonlyMap<number, Pick<Peer, 'following'>>, from: number, to: number): boolean {
  const seen = new Set<number>()
  for (let at: number | null = from; at !== null && !seen.has(at); at = peers.get(at)?.following ?? null) {
    if (at === to) return true
    seen.add(at)
  }
  return false
}

/**
 * The tab of a person that can be followed: the one with the pointer over the canvas, otherwise one that shows it. Null
 * if all show something else, or follow this one.
 */
export function tabToFollow(
  { clientIds }: Pick<Present, 'clientIds'>,
  peers: ReadonlyMap<number, Peer>,
  ownClient: number,
): number | null {
  const tabs = clientIds.flatMap((id) => peers.get(id) ?? [])
  const open = tabs.filter(({ clientId, view }) => view !== null && !leadsTo(peers, clientId, ownClient))
  return (open.find(({ cursor }) => cursor !== null) ?? open[0])?.clientId ?? null
}

/** Follows another tab's view; null stops. */
export function follow(store: CanvasStore, peer: Peer | null | undefined): void {
  store.setState({ following: peer ? { clientId: peer.clientId, person: peer.person } : null })
}
