/** One visit of a page: it loads the data of the page again and again, and holds what the user has set. */

import { Problem, Unreachable } from './api.js';
import { nowText } from './clock.js';
import { tell } from './dialog.js';
import { areRowsInUse, held } from './held.js';
import { may, maySome } from './rights.js';
import { linkWith } from './view.js';
import { t } from './words.js';
import { groupsToChoose } from '../pages/choose-group.js';

export class Visit {
  /**
   * @param {Place} place
   * @param {Surroundings} around
   */
  constructor({ definition, within, params, query, address }, around) {
    this.around = around;
    this.definition = definition;
    this.within = within;
    this.params = params;
    this.query = query;
    this.address = address;
    /** @type {any} */
    this.data = null;
    /** @type {string | null} */
    this.loadedAt = null;
    /** @type {any} */
    this.news = null;
    /** @type {Failure} */
    this.failure = null;
    /** Whether the data are those of another search, and are shown until its own are there. */
    this.isBorrowed = false;
    /** Of the load that was begun last; the answers of others are old. */
    this.turn = 0;
    /** @type {Ui} */
    this.ui = {};
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {(() => void)[]} */
    this.cleanups = [];
  }

  get isCurrent() {
    return this.around.shown() === this;
  }

  /** The role of who is signed in. */
  get role() {
    return this.around.session()?.role;
  }

  /** Whether who is signed in may do what takes this role to this node group or, if none is named, to all that are shown. */
  may(role, group) {
    return may(this.around.session(), role, group);
  }

  /** Whether who is signed in may do what takes this role to some node group at least. */
  maySome(role) {
    return maySome(this.around.session(), role);
  }

  /** Whether the token of who is signed in is limited to node groups. */
  get isLimited() {
    return Boolean(this.around.session()?.nodeGroups);
  }

  /** Whether a node group has to be chosen first: a limited token may ask for one at a time, which the API knows if it has only one. */
  get mustChooseGroup() {
    const { groupIn } = this.definition;
    const [first, ...others] = this.around.session()?.nodeGroups ?? [];
    const isOne = others.length === 0 && !first?.endsWith('*');
    return this.isLimited && !isOne && groupIn !== undefined && !this.query[groupIn];
  }

  /** Whether something was typed that would be lost with the page. */
  get hasDraft() {
    return Boolean(this.definition.hasDraft?.(this));
  }

  /** Sets what the page remembers while it is open, and shows it. */
  set(values) {
    Object.assign(this.ui, values);
    this.around.draw();
  }

  /** Goes to the same page with another query. */
  search(query) {
    location.hash = linkWith(this.address, query).slice(1);
  }

  go(address) {
    location.hash = address.replace(/^#/, '');
  }

  /** To be called when the page is left. */
  onLeave(cleanup) {
    this.cleanups.push(cleanup);
  }

  /**
   * Reads the data of the page; at once again if they have only begun (isBegun).
   *
   * @param isRefresh whether the page loads by itself: then rows that are pointed at stay where they are
   */
  async load({ isRefresh = false } = {}) {
    clearTimeout(this.timer);
    const turn = ++this.turn;
    const isOld = () => !this.isCurrent || turn !== this.turn;
    try {
      const data = this.mustChooseGroup ? await groupsToChoose() : await this.definition.load(this);
      if (isOld()) {
        return;
      }
      this.take(data, isRefresh);
      this.loadedAt = nowText();
      this.failure = null;
      this.around.noteAnswer();
    } catch (failure) {
      if (isOld() || this.around.noteLoss(failure)) {
        return;
      }
      this.failure = failure;
      this.giveBack();
    }
    this.around.draw();
    if (this.data?.isBegun && this.failure === null) {
      await this.load();
      return;
    }
    this.around.loadOthers();
    this.again(this.around.pauseOfLoss() ?? this.every);
  }

  take(data, isRefresh) {
    const { rows } = this.definition;
    const isHeld = isRefresh && rows && this.data && areRowsInUse();
    const now = isHeld ? held(rows, this.data, data) : { data, added: 0, gone: 0 };
    this.data = now.data;
    this.isBorrowed = false;
    this.news = now.added + now.gone > 0 ? { ...now, data } : null;
  }

  /** Shows the data of the visit before, which is of the same page, until its own are there. */
  borrow({ data, loadedAt }) {
    Object.assign(this, { data, loadedAt, isBorrowed: data !== null });
  }

  /** What another search has found is no answer to this one. */
  giveBack() {
    if (this.isBorrowed) {
      Object.assign(this, { data: null, loadedAt: null, isBorrowed: false });
    }
  }

  /** Shows the lists as they are now. */
  showNews() {
    this.data = this.news.data;
    this.news = null;
    this.around.draw();
    document.querySelector('h1')?.focus();
  }

  /** Milliseconds to the next load; 0 for none. */
  get every() {
    const { every } = this.definition;
    return typeof every === 'function' ? every(this) : every;
  }

  again(millis) {
    clearTimeout(this.timer);
    if (millis) {
      this.timer = setTimeout(() => (document.hidden ? this.again(millis) : this.load({ isRefresh: true })), millis);
    }
  }

  /**
   * Has something changed, says what came of it, and loads the page again.
   *
   * @param change asks the tracker
   * @param {any} said what to tell of the answer
   */
  async act(change, said) {
    try {
      const answer = await change();
      const text = typeof said === 'function' ? said(answer) : said;
      if (text) {
        tell(text);
      }
      await this.load();
      return answer;
    } catch (failure) {
      if (failure instanceof Unreachable) {
        tell(t('change.unknown'), 'bad');
      } else if (this.isSignedOut(failure)) {
        this.around.noteUnchanged();
      } else if (!this.around.noteLoss(failure)) {
        tell(failure.message, 'bad');
      }
      return undefined;
    }
  }

  /** Whether the failure is that the session has ended; then sign-in is shown over the page. */
  isSignedOut(failure) {
    return failure instanceof Problem && failure.status === 401 && this.around.noteLoss(failure);
  }

  leave() {
    clearTimeout(this.timer);
    this.cleanups.forEach((cleanup) => cleanup());
  }
}
