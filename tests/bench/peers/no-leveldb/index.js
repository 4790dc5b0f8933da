/** Never made: the bench's peer runs without persistence. */
export class LeveldbPersistence {
  constructor() {
    throw new Error('This bench runs @y/websocket-server without persistence.')
  }
}
