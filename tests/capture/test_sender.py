"""From events to numbered batches that are known to have arrived, or known not to."""

from typing import Any

from playwright.sync_api import Page

# A transport that keeps what it was given, refuses while told so, and a sender on it.
BENCH = """
  const sent = [], last = []; const state = {down: false, takesLast: true, hold: null};
  const transport = {
    async send({to, body}) { sent.push({route: to.address, number: JSON.parse(body).batch, body}); if (state.hold) await state.hold; if (state.down) throw new Error('down') },
    sendLast(batches) { for (const {to, body} of batches) last.push({route: to.address, number: JSON.parse(body).batch, body}); return state.takesLast ? batches : [] }};
  const sender = lab.makeSender(transport, () => null);
  const bodies = list => list.map(batch => JSON.parse(batch.body));
  const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
  const until = async holds => { for (let tries = 0; !holds(); tries++) { if (tries > 2000) throw new Error(`never: ${holds}`); await wait(2) } };
"""


def on_bench(lab: Page, script: str) -> Any:
    return lab.evaluate(f"async () => {{ {BENCH} {script} }}")


def test_events_wait_for_the_interval_and_go_together(lab: Page) -> None:
    early, late = on_bench(
        lab,
        """const at = performance.now(); for (let n = 0; n < 3; n++) sender.add(lab.LOGS, {n}); await wait(20); const early = sent.length;
        await until(() => sent.length > 0); return [early, [performance.now() - at >= 95, bodies(sent)[0].entries]]""",
    )

    assert (early, late) == (0, [True, [{"n": 0}, {"n": 1}, {"n": 2}]])


def test_a_transport_that_takes_its_time_gets_errors_as_soon_as_any(lab: Page) -> None:
    alone, hurried = on_bench(
        lab,
        """transport.pauseMs = 60000; const patient = lab.makeSender(transport, () => null); patient.add(lab.LOGS, {n: 0});
        await wait(150); const alone = sent.length;
        const at = performance.now(); patient.add(lab.LOGS, {n: 1, level: 'error'}); patient.add(lab.LOGS, {n: 2, level: 'error'});
        await until(() => sent.length > 0); return [alone, [performance.now() - at >= 95, bodies(sent)[0].entries.map(({n}) => n)]]""",
    )

    assert (alone, hurried) == (0, [True, [0, 1, 2]])


def test_what_comes_while_something_is_on_its_way_follows_it(lab: Page) -> None:
    entries = on_bench(
        lab,
        """let release; state.hold = new Promise(resolve => (release = resolve)); sender.add(lab.LOGS, {n: 0}); await until(() => sent.length > 0);
        sender.add(lab.LOGS, {n: 1}); await wait(150); state.hold = null; release();
        await until(() => sent.length > 1); return bodies(sent).map(body => body.entries)""",
    )

    assert entries == [[{"n": 0}], [{"n": 1}]]


def test_fifty_go_at_once_and_never_more_in_one_batch(lab: Page) -> None:
    at_once, sizes = on_bench(
        lab,
        """for (let n = 0; n < 49; n++) sender.add(lab.LOGS, {n}); const before = sent.length; sender.add(lab.LOGS, {n: 49});
        const at_once = sent.length - before; for (let n = 50; n < 180; n++) sender.add(lab.LOGS, {n}); await sender.flush();
        return [at_once, bodies(sent).map(body => body.entries.length)]""",
    )

    assert (at_once, sizes) == (1, [50, 50, 50, 30])


def test_every_stream_has_its_own_batches_and_the_numbers_have_no_gap(lab: Page) -> None:
    batches = on_bench(
        lab,
        """sender.add(lab.LOGS, {n: 1}); sender.add(lab.NETWORK_BODIES, {n: 2}); sender.add(lab.LOGS, {n: 3}); await sender.flush();
        sender.add(lab.NETWORK_BODIES, {n: 4}); await sender.flush();
        return sent.map(({route, body}) => [route, JSON.parse(body)]).map(([route, body]) => [route, body.batch, body.dropped, body.entries ?? body.bodies, body.sender === JSON.parse(sent[0].body).sender])""",
    )

    assert batches == [
        ["/logs", 1, 0, [{"n": 1}, {"n": 3}], True],
        ["/network-bodies", 2, 0, [{"n": 2}], True],
        ["/network-bodies", 3, 0, [{"n": 4}], True],
    ]


def test_what_a_transport_takes_at_once_goes_in_one_call(lab: Page) -> None:
    calls = on_bench(
        lab,
        """const calls = []; const several = {atOnce: 2, async send(...batches) { calls.push(batches.map(({to, body}) => [to.address, JSON.parse(body).batch])); if (state.down) throw new Error('down') }, sendLast: () => []};
        const carrier = lab.makeSender(several, () => null); state.down = true;
        for (const stream of [lab.LOGS, lab.NETWORK_BODIES, lab.ENHANCED_ACTIONS]) carrier.add(stream, {n: 1});
        await carrier.flush(); state.down = false; await carrier.flush(); return calls""",
    )

    first = [["/logs", 1], ["/network-bodies", 2]]
    assert calls == [first, first, [["/enhanced-actions", 3]]]


def test_a_page_that_has_nothing_to_say_leaves_in_silence(lab: Page) -> None:
    calls = on_bench(
        lab,
        """const calls = []; transport.sendLast = batches => { calls.push(batches.length); return batches };
        sender.leave(); sender.add(lab.LOGS, {n: 1}); sender.leave(); sender.leave(); return calls""",
    )

    assert calls == [1]


def test_a_batch_stays_below_48_kilobytes(lab: Page) -> None:
    largest, count = on_bench(
        lab,
        """for (let n = 0; n < 40; n++) sender.add(lab.LOGS, {n, text: (n % 2 ? 'é' : 'x').repeat(5000)}); await sender.flush();
        return [Math.max(...sent.map(({body}) => new TextEncoder().encode(body).length)), bodies(sent).flatMap(body => body.entries).length]""",
    )

    assert largest <= 48 * 1024
    assert count == 40


def test_what_comes_during_a_delivery_waits_for_its_own_time(lab: Page) -> None:
    sizes = on_bench(
        lab,
        """let go; state.hold = new Promise(resolve => go = resolve); sender.add(lab.LOGS, {n: 0}); void sender.flush(); await wait(0);
        for (let n = 1; n < 10; n++) sender.add(lab.LOGS, {n}); state.hold = null; go(); await wait(10); const before = sent.length;
        await until(() => sent.length > 1); return [before, ...bodies(sent).map(body => body.entries.length)]""",
    )

    assert sizes == [1, 1, 9]


def test_a_batch_that_failed_is_sent_again_with_its_number(lab: Page) -> None:
    numbers, tries = on_bench(
        lab,
        """state.down = true; sender.add(lab.LOGS, {n: 1}); await sender.flush(); sender.add(lab.LOGS, {n: 2}); state.down = false;
        await until(() => sent.length > 2); return [sent.map(({number}) => number), bodies(sent).map(body => body.entries[0].n)]""",
    )

    assert (numbers, tries) == ([1, 1, 2], [1, 1, 2])


def test_after_five_failures_it_pauses(lab: Page) -> None:
    tries = on_bench(
        lab,
        """state.down = true; sender.add(lab.LOGS, {n: 1}); for (let n = 0; n < 5; n++) await sender.flush();
        const before = sent.length; for (let n = 0; n < 200; n++) sender.add(lab.LOGS, {n}); await wait(300); return sent.length - before""",
    )

    assert tries == 0


def test_a_flood_while_the_server_is_away_is_bounded_and_counted(lab: Page) -> None:
    stored, dropped, first, last = on_bench(
        lab,
        """state.down = true; for (let n = 0; n < 30000; n++) sender.add(lab.LOGS, {n, text: 'x'.repeat(100)}); await sender.flush(); state.down = false;
        await sender.flush(); const all = new Map(bodies(sent).map(body => [body.batch, body])); const entries = [...all.values()].flatMap(body => body.entries);
        return [entries.length, bodies(sent).at(-1).dropped, entries[0].n, entries.at(-1).n]""",
    )

    assert stored + dropped == 30_000
    assert 8000 < stored <= 10_100
    assert (first, last) == (0, 29_999)


def test_large_events_are_bounded_by_bytes(lab: Page) -> None:
    queued, dropped = on_bench(
        lab,
        """state.down = true; for (let n = 0; n < 1000; n++) sender.add(lab.LOGS, {text: 'x'.repeat(10000)}); state.down = false; sent.length = 0;
        await sender.flush(); return [bodies(sent).reduce((sum, body) => sum + body.entries.length, 0), bodies(sent).at(-1).dropped]""",
    )

    assert queued <= 310
    assert dropped > 600


def test_leaving_hands_over_everything_at_once(lab: Page) -> None:
    numbers, count = on_bench(
        lab,
        """for (let n = 0; n < 120; n++) sender.add(lab.NETWORK_BODIES, {n, text: 'x'.repeat(1000)}); sender.add(lab.LOGS, {n: 1}); sender.leave();
        return [last.map(({number}) => number), bodies(last).flatMap(body => body.bodies ?? body.entries).length]""",
    )

    assert numbers == list(range(1, len(numbers) + 1))
    assert count == 121


def test_what_finds_no_room_on_leaving_is_sent_otherwise(lab: Page) -> None:
    routes = on_bench(
        lab,
        "state.takesLast = false; sender.add(lab.LOGS, {n: 1}); sender.leave(); await sender.flush(); return sent.map(({route}) => route)",
    )

    assert routes == ["/logs"]


def test_who_delivers_by_hand_gets_everything_and_may_ask_again(lab: Page) -> None:
    first, again, fresh, last_words = on_bench(
        lab,
        """transport.write = (...batches) => batches.map(({body}) => JSON.parse(body).entries.map(entry => entry.n));
        sender.add(lab.LOGS, {n: 1}); sender.add(lab.LOGS, {n: 2}); const first = await sender.flush(1);
        sender.add(lab.LOGS, {n: 3}); const again = await sender.flush(2);
        sender.add(lab.LOGS, {n: 4}); const fresh = await sender.flush(1);
        sender.leave(); return [first, again, fresh, last.length + sent.length]""",
    )

    assert (first, again, fresh, last_words) == ([[1, 2]], [[1, 2], [3]], [[4]], 0)


def test_after_stop_nothing_is_taken(lab: Page) -> None:
    counts = on_bench(
        lab,
        """sender.add(lab.LOGS, {n: 1}); sender.undo(); sender.add(lab.LOGS, {n: 2}); await sender.flush(); await wait(120);
        return [bodies(last).flatMap(body => body.entries).map(entry => entry.n), sent.length]""",
    )

    assert counts == [[1], 0]


def test_a_transport_that_throws_at_once_harms_nobody(lab: Page) -> None:
    assert on_bench(
        lab,
        """transport.send = () => { throw new Error('sync') }; transport.sendLast = () => { throw new Error('sync') };
        sender.add(lab.LOGS, {n: 1}); await sender.flush(); sender.leave(); return true""",
    )


def test_an_item_can_be_changed_until_it_leaves(lab: Page) -> None:
    before, after, entries = on_bench(
        lab,
        """sender.add(lab.LOGS, {id: 'a'}); sender.add(lab.LOGS, {id: 'b'}); const change = () => sender.amend(lab.LOGS, '"id":"b"', item => ({...item, more: 1}));
        const before = change(); await sender.flush(); return [before, change(), bodies(sent)[0].entries]""",
    )

    assert (before, after, entries) == (True, False, [{"id": "a"}, {"id": "b", "more": 1}])


def test_something_large_goes_alone_and_pushes_nothing_out(lab: Page) -> None:
    dropped, sizes, numbers = on_bench(
        lab,
        """sender.add(lab.LOGS, {n: 1}); sender.addLarge(lab.LOGS, {map: 'x'.repeat(4e6)}); sender.add(lab.LOGS, {n: 2}); await sender.flush();
        return [bodies(sent).at(-1).dropped, bodies(sent).map(body => body.entries.length), bodies(sent).map(body => body.batch)]""",
    )

    assert (dropped, sorted(sizes), sorted(numbers)) == (0, [1, 2], [1, 2])
